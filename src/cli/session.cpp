// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/log.h"
#include "cli/terminal.h"
#include "rigplan/json/json_file.h"
#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"
#include "text/tr.h"

namespace rigplan {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view models_schema = "rigplan/models/1";
constexpr std::uintmax_t largest_file = 256 * 1024 * 1024;

std::vector<std::string> overlay_paths(const GlobalOptions& options) {
  std::vector<std::string> paths;
  if (const char* listed = std::getenv("RIGPLAN_CATALOG")) {
    std::stringstream parts{listed};
    for (std::string part; std::getline(parts, part, ':');)
      if (!part.empty()) paths.push_back(part);
  }
  paths.insert(paths.end(), options.catalog_paths.begin(), options.catalog_paths.end());
  return paths;
}

Override parse_override(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw UsageError{
        fmt::format("--set: \"{}\" is not of the form FAMILY.ID.FIELD=VALUE, such as gpus.mi50-32gb.price=\"900 yuan\"", text)};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void apply_exchange(const std::vector<std::string>& given, Exchange& exchange) {
  for (const auto& text : given) {
    const auto equals = text.find('=');
    const auto rate = equals == 3 ? parse_number(text.substr(4)) : UnitError{};
    if (!std::holds_alternative<double>(rate) || std::get<double>(rate) <= 0)
      throw UsageError{fmt::format("--fx: \"{}\" is not of the form CURRENCY=YUAN, such as USD=7.2", text)};
    const auto currency = text.substr(0, 3);
    std::erase_if(exchange.rates, [&](const ExchangeRate& old) { return old.currency == currency; });
    exchange.rates.push_back({currency, std::get<double>(rate), "", {"--fx", ""}});
  }
}

}  // namespace

/// What the system says of files, so that it is translated too; it has locales only where they are installed.
[[maybe_unused]] constexpr const char* system_messages[] = {
    msg("No such file or directory"), msg("Permission denied"),  msg("Is a directory"),
    msg("No space left on device"),   msg("Input/output error"), msg("Read-only file system"),
};

/// A link that leads nowhere counts: reading it is an error, while leaving it out would lose what its owner meant to give.
static bool is_file_or_link(const fs::directory_entry& entry) {
  std::error_code failure;
  return entry.is_regular_file(failure) || (entry.is_symlink(failure) && !entry.is_directory(failure));
}

std::vector<std::string> json_files_at(const std::string& path) {
  std::error_code failure;
  if (!fs::is_directory(path, failure)) return {path};
  std::vector<std::string> files;
  for (auto at = fs::recursive_directory_iterator{path, failure}; !failure && at != fs::recursive_directory_iterator{};
       at.increment(failure))
    if (at->path().extension() == ".json" && is_file_or_link(*at)) files.push_back(at->path().string());
  if (failure) throw DataError{{path, 0, ""}, fmt::format("cannot be listed: {}", failure.message())};
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<CatalogFile> Session::overlay_files() const {
  std::vector<CatalogFile> files;
  for (const auto& path : overlay_paths(options_))
    for (const auto& file : json_files_at(path)) files.push_back({file, read_file(file)});
  return files;
}

std::vector<CatalogFile> Session::catalog_files() const {
  auto files = built_in_catalog_files();
  for (auto& file : overlay_files())
    if (file.schema() != models_schema) files.push_back(std::move(file));
  return files;
}

Catalog Session::read(std::span<const CatalogFile> files, const std::vector<Override>& changes) const {
  std::vector<Override> overrides;
  for (const auto& text : options_.overrides) overrides.push_back(parse_override(text));
  overrides.insert(overrides.end(), changes.begin(), changes.end());
  auto catalog = read_catalog(files, overrides);
  apply_exchange(options_.exchange, catalog.exchange);
  if (!options_.as_of.empty()) catalog.price_policy.as_of = options_.as_of;
  if (options_.max_price_age_days) catalog.price_policy.max_age_days = *options_.max_price_age_days;
  return catalog;
}

Catalog Session::catalog_of(std::span<const CatalogFile> files) const { return read(files, {}); }

Catalog Session::catalog_with(const std::vector<Override>& changes) const { return read(catalog_files(), changes); }

const Catalog& Session::catalog() const {
  if (!catalog_) catalog_ = catalog_of(catalog_files());
  return *catalog_;
}

ModelLibrary& Session::models() const {
  if (!models_) {
    models_.emplace();
    for (const auto& file : overlay_files())
      if (file.schema() == models_schema) models_->add(file.parse());
  }
  return *models_;
}

void Session::print(std::string_view text) const {
  busy_.stop();
  write_file("-", terminal_needs_ascii() ? to_ascii(text) : std::string{text});
}

void Session::note(std::string_view text) const {
  if (options_.quiet) return;
  busy_.stop();
  log_note(tr(text));
}

/// Reads to the end, but never more than a file may have: devices and pipes have no size that could be looked at before.
static std::string read_stream(std::istream& stream, const std::string& path) {
  std::string bytes;
  std::array<char, 1 << 16> block;
  do {
    stream.read(block.data(), block.size());
    bytes.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > largest_file)
      throw DataError{{path, 0, ""}, fmt::format("has more than {} MiB, the most that is read", largest_file >> 20)};
  } while (stream);
  if (stream.bad()) throw DataError{{path, 0, ""}, fmt::format("cannot be read: {}", std::strerror(errno ? errno : EIO))};
  return bytes;
}

std::string read_file(const std::string& path) {
  if (path == "-") return read_stream(std::cin, path);
  std::error_code failure;
  if (fs::is_directory(path, failure)) throw DataError{{path, 0, ""}, msg("is a folder; expected a file")};
  const auto size = fs::file_size(path, failure);
  if (!failure && size > largest_file)
    throw DataError{{path, 0, ""}, fmt::format("has {} MiB; files of up to {} MiB are read", size >> 20, largest_file >> 20)};
  errno = 0;
  std::ifstream file{path, std::ios::binary};
  if (!file) throw DataError{{path, 0, ""}, fmt::format("cannot be read: {}", std::strerror(errno ? errno : ENOENT))};
  return read_stream(file, path);
}

void append_file(const std::string& path, std::string_view text) {
  errno = 0;
  std::ofstream file{path, std::ios::binary | std::ios::app};
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.flush();
  if (!file) throw OutputError{fmt::format("{} cannot be written: {}", path, std::strerror(errno)), false};
}

void write_file(const std::string& path, std::string_view text) {
  errno = 0;
  if (path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw OutputError{fmt::format("standard output cannot be written: {}", std::strerror(errno)), errno == EPIPE};
    return;
  }
  const auto unfinished = path + ".part";
  {
    std::ofstream file{unfinished, std::ios::binary | std::ios::trunc};
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.flush();
    if (!file) {
      const auto why = std::strerror(errno);
      std::remove(unfinished.c_str());
      throw OutputError{fmt::format("{} cannot be written: {}", path, why), false};
    }
  }
  std::error_code failure;
  fs::rename(unfinished, path, failure);
  if (failure) {
    std::remove(unfinished.c_str());
    throw OutputError{fmt::format("{} cannot be written: {}", path, failure.message()), false};
  }
}

}  // namespace rigplan
