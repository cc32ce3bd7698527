// SPDX-License-Identifier: Apache-2.0
// Everything that reads bytes from outside, called the same way: by the fuzzer and by the test that replays its findings.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rigplan::fuzz {

/// One reader. Bytes that it does not like end in one of the errors that people are told; anything else that leaves it, and
/// every report of a sanitizer, is a fault.
struct Reader {
  const char* name;
  void (*read)(std::string_view bytes);
  std::vector<const char*> seeds;  ///< files and folders of the repository to start from
};

std::span<const Reader> readers();
const Reader* find_reader(std::string_view name);

/// Bytes that the reader takes, small ones first; arrays of a catalog file come entry by entry. `root` is the repository.
std::vector<std::string> seeds_of(const Reader& reader, const std::string& root);

}  // namespace rigplan::fuzz
