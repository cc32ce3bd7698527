// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry: fuzz_readers --reader=NAME [libFuzzer's own options] FOLDER...; --seeds=FOLDER writes where to start from.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fuzz/readers.h"

namespace {

const rigplan::fuzz::Reader* chosen = nullptr;

void write_seeds(const rigplan::fuzz::Reader& reader, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  int n = 0;
  for (const auto& seed : rigplan::fuzz::seeds_of(reader, "."))
    std::ofstream{folder / ("seed" + std::to_string(n++)), std::ios::binary} << seed;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  std::string_view folder;
  for (int i = 1; i < *count; ++i) {
    const std::string_view word = (*words)[i];
    if (word.starts_with("--reader=")) chosen = rigplan::fuzz::find_reader(word.substr(9));
    if (word.starts_with("--seeds=")) folder = word.substr(8);
    if (word == "--list") {
      for (const auto& reader : rigplan::fuzz::readers()) std::puts(reader.name);
      std::exit(0);
    }
  }
  if (chosen == nullptr) {
    std::fputs("which reader? --reader=NAME, and --list says which there are\n", stderr);
    std::exit(2);
  }
  if (!folder.empty()) {
    write_seeds(*chosen, folder);
    std::exit(0);
  }
  chosen->read("");  // what is read once, the built-in catalog, must not count against the time of one input
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  chosen->read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
