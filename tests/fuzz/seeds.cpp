// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fuzz/readers.h"
#include "import/gguf_writer.h"
#include "rigplan/json/cursor.h"

namespace rigplan::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest = 16 << 10;  ///< bytes; a fuzzer learns little from more

std::string bytes_of(const fs::path& path) {
  std::ifstream stream{path, std::ios::binary};
  std::stringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

/// {"schema": ..., "gpus": [a, b, c]} becomes a file for each of the first few elements.
void add_entries(const std::string& text, std::vector<std::string>& seeds) {
  constexpr std::size_t few = 8;
  const auto file = JsonFile::parse("seed", text, JsonComments::allowed);
  if (file.root().members() == nullptr) return;
  for (const auto& [key, value] : Cursor{file}.members()) {
    if (!value.is_array()) continue;
    const auto elements = value.elements();
    for (std::size_t i = 0; i < std::min(few, elements.size()); ++i) {
      auto alone = JsonValue::object();
      for (const auto& [other, kept] : Cursor{file}.members()) {
        if (other == key)
          alone.set(other, JsonValue::array().push(elements[i].value()));
        else if (!kept.is_array())
          alone.set(other, kept.value());
      }
      if (const auto seed = to_json_text(alone); seed.size() <= largest) seeds.push_back(seed);
    }
  }
}

/// The head and a few rows.
void add_rows(const std::string& text, std::vector<std::string>& seeds) {
  const auto head = text.find('\n');
  if (head == std::string::npos) return;
  for (std::size_t at = head + 1, n = 0; at < text.size() && n < 8; ++n) {
    const auto next = std::min(text.find('\n', std::min(at + text.size() / 9, text.size() - 1)), text.size() - 1);
    const auto end = std::min(text.find('\n', at), text.size() - 1);
    seeds.push_back(text.substr(0, head + 1) + text.substr(at, end - at + 1));
    at = next + 1;
  }
}

void add_file(const fs::path& path, std::vector<std::string>& seeds) {
  const auto bytes = bytes_of(path);
  if (path.extension() == ".lines") {
    std::istringstream lines{bytes};
    for (std::string line; std::getline(lines, line);) seeds.push_back(line);
    return;
  }
  if (bytes.size() <= largest) seeds.push_back(bytes);
  try {
    if (path.extension() == ".json") add_entries(bytes, seeds);
  } catch (const DataError&) {  // a seed may be a file with a fault
  }
  if (path.extension() == ".csv") add_rows(bytes, seeds);
}

}  // namespace

std::vector<std::string> seeds_of(const Reader& reader, const std::string& root) {
  std::vector<std::string> seeds;
  for (const auto* seed : reader.seeds) {
    const auto path = fs::path{root} / seed;
    if (fs::is_regular_file(path)) add_file(path, seeds);
    if (!fs::is_directory(path)) continue;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator{path})
      if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) add_file(file, seeds);
  }
  if (std::string_view{reader.name} == "gguf")
    for (const int version : {1, 2, 3}) seeds.push_back(test::small(version).bytes + std::string(1 << 12, '\0'));
  std::stable_sort(seeds.begin(), seeds.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  return seeds;
}

}  // namespace rigplan::fuzz
