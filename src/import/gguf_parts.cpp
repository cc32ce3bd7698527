// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "rigplan/import/gguf.h"

#include <fmt/format.h>
#include "rigplan/json/data_error.h"

namespace rigplan {
namespace {

constexpr std::size_t digits = 5;  // of a part's number in a name
constexpr std::string_view ending = ".gguf";

bool all_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}
std::string five_digits(int n) {
  auto text = std::to_string(n);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

/// Reads the start of a file, more of it until the head is complete.
GgufFile read_file(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw DataError{{path, 0, ""}, fmt::format("cannot be read: {}", error.message())};
  std::ifstream in{path, std::ios::binary};
  std::string bytes;
  std::uint64_t wanted = 1 << 20;
  while (true) {
    const auto have = bytes.size();
    bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(wanted, size)));
    in.read(bytes.data() + have, static_cast<std::streamsize>(bytes.size() - have));
    if (!in) throw DataError{{path, 0, ""}, "cannot be read"};
    auto head = read_gguf_head(path, bytes, size);
    if (auto* file = std::get_if<GgufFile>(&head)) return std::move(*file);
    wanted = std::max(2 * wanted, std::get<GgufNeedsMore>(head).at_least);
  }
}

}  // namespace

std::vector<std::string> gguf_part_names(std::string_view path) {
  // "<name>-00001-of-00003.gguf" and nothing else.
  constexpr std::size_t tail = 1 + digits + 4 + digits;
  if (!path.ends_with(ending)) return {};
  const auto stem = path.substr(0, path.size() - ending.size());
  if (stem.size() <= tail) return {};
  const auto mark = stem.substr(stem.size() - tail);
  const auto number = mark.substr(1, digits), of = mark.substr(1 + digits, 4), count = mark.substr(1 + digits + 4);
  if (mark[0] != '-' || of != "-of-" || !all_digits(number) || !all_digits(count)) return {};
  const int n = std::stoi(std::string{number}), all = std::stoi(std::string{count});
  if (n < 1 || n > all) return {};
  std::vector<std::string> names;
  const std::string front{stem.substr(0, stem.size() - tail)};
  for (int i = 1; i <= all; ++i) names.push_back(fmt::format("{}-{}-of-{}{}", front, five_digits(i), count, ending));
  return names;
}

GgufFile join_gguf_parts(std::span<const GgufFile> parts) {
  if (parts.empty()) throw DataError{{"", 0, ""}, "no parts"};
  auto joined = parts.front();
  const auto fail = [](const GgufFile& part, const std::string& message) { throw DataError{{part.name, 0, ""}, message}; };
  const auto stated = joined.number("split.count");
  const double count = stated.value_or(1);
  if (count != static_cast<double>(parts.size())) {
    fail(joined, fmt::format("is one of {} parts, but {} were given", static_cast<long long>(count), parts.size()));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].number("split.count") != stated) fail(parts[i], fmt::format("disagrees with {} on split.count", joined.name));
    // Numbers in the files count from 0, those in their names from 1.
    if (stated && parts[i].number("split.no").value_or(static_cast<double>(i)) != static_cast<double>(i)) {
      fail(parts[i],
           fmt::format("is part {}, expected part {}", static_cast<long long>(*parts[i].number("split.no")) + 1, i + 1));
    }
    if (i > 0) joined.tensors.insert(joined.tensors.end(), parts[i].tensors.begin(), parts[i].tensors.end());
  }
  const auto tensors = joined.number("split.tensors.count");
  if (tensors && *tensors != static_cast<double>(joined.tensors.size())) {
    fail(joined,
         fmt::format("states {} tensors in all parts; they have {}", static_cast<long long>(*tensors), joined.tensors.size()));
  }
  return joined;
}

GgufModel load_gguf(const std::string& path, std::string* notice) {
  const auto names = gguf_part_names(path);
  std::vector<GgufFile> parts;
  if (names.empty()) {
    parts.push_back(read_file(path));
  } else {
    if (notice && path != names.front()) *notice = fmt::format("reading all {} parts, from {}", names.size(), names.front());
    for (const auto& name : names) {
      if (!std::filesystem::exists(name))
        throw DataError{{name, 0, ""}, fmt::format("is missing: all {} parts are needed", names.size())};
      parts.push_back(read_file(name));
    }
  }
  return gguf_model(join_gguf_parts(parts));
}

}  // namespace rigplan
