// SPDX-License-Identifier: Apache-2.0
// What the fuzzer once found, and all that it starts from, read again without a fuzzer: in every build, with every compiler.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fuzz/readers.h"

using namespace rigplan::fuzz;

namespace {

std::string bytes_at(const std::filesystem::path& path) {
  std::ifstream stream{path, std::ios::binary};
  std::stringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

}  // namespace

TEST_CASE("Every reader has something to start from, and reads it or says what is wrong") {
  for (const auto& reader : readers()) {
    INFO(reader.name);
    const auto seeds = seeds_of(reader, RIGPLAN_SOURCE_DIR);
    CHECK_FALSE(seeds.empty());
    for (const auto& seed : seeds) {
      INFO(seed);
      CHECK_NOTHROW(reader.read(seed));
    }
  }
}

TEST_CASE("A text that ends early is an error, not a crash, wherever it ends") {
  for (const auto& reader : readers()) {
    INFO(reader.name);
    const auto seeds = seeds_of(reader, RIGPLAN_SOURCE_DIR);
    const auto& seed = seeds[seeds.size() / 2];
    const auto step = seed.size() / 64 + 1;
    for (std::size_t end = 0; end < seed.size(); end += step) CHECK_NOTHROW(reader.read(std::string_view{seed}.substr(0, end)));
  }
}

TEST_CASE("What the fuzzer found stays mended") {
  const std::filesystem::path folder = RIGPLAN_SOURCE_DIR "/tests/fuzz/findings";
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::recursive_directory_iterator{folder}) {
      if (!entry.is_regular_file()) continue;
      const auto* reader = find_reader(entry.path().parent_path().filename().string());
      INFO(entry.path());
      REQUIRE(reader != nullptr);
      CHECK_NOTHROW(reader->read(bytes_at(entry.path())));
    }
}
