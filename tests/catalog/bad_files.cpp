// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "rigplan/catalog/catalog.h"
#include "rigplan/json/data_error.h"

using namespace rigplan;

static std::string text_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// The JSON files of a folder and the folders below it, by name.
static std::vector<std::string> json_files(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& at : std::filesystem::recursive_directory_iterator{folder})
    if (at.path().extension() == ".json") paths.push_back(at.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

static std::string refusal(const std::string& path) {
  auto files = built_in_catalog_files();
  files.push_back({path, text_of(path)});
  try {
    read_catalog(files);
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("each broken file is refused with its file, line and pointer, what was found and what was expected") {
  const auto paths = json_files("tests/data/bad");
  CHECK(paths.size() >= 25);
  for (const auto& path : paths) {
    const auto message = path.substr(0, path.size() - 5) + ".message";
    CHECK(refusal(path) + "\n" == text_of(message));
  }
}

TEST_CASE("the file that the broken ones were made from is read") { CHECK(refusal("tests/data/good-gpus.json") == "accepted"); }
