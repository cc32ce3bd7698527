// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigplan/workload/model.h"
#include "rigplan/workload/parameters.h"

namespace rigplan {

/// A metadata value. Arrays keep their length and, where they are numbers, the numbers; strings of an array are only counted.
struct GgufValue {
  std::variant<double, bool, std::string, std::vector<double>> value;
  std::uint64_t length = 0;  ///< of an array
};

struct GgufTensor {
  std::string name;
  std::vector<std::uint64_t> dimensions;  ///< the first is the row length
  std::string format;                     ///< "Q4_K"
  Bytes bytes;
};

/// The head of one GGUF file.
struct GgufFile {
  std::string name;
  int version = 0;
  std::map<std::string, GgufValue, std::less<>> metadata;
  std::vector<GgufTensor> tensors;

  /// A number of the metadata, or nothing.
  std::optional<double> number(std::string_view key) const;
  std::string text(std::string_view key) const;
  Bytes tensor_bytes() const;
};

/// Says how many bytes of a file's start are needed to read its head.
struct GgufNeedsMore {
  std::uint64_t at_least = 0;
};

/// Reads the head from the first bytes of a file of `file_size` bytes; versions 1 to 3. Every count and length is held against
/// the file's size before anything is allocated.
/// @throws DataError with the file's name for anything that is not a sound GGUF head.
std::variant<GgufFile, GgufNeedsMore> read_gguf_head(const std::string& name, std::string_view bytes, std::uint64_t file_size);

/// Joins the parts of a split file, in order. @throws DataError when parts disagree or one is missing.
GgufFile join_gguf_parts(std::span<const GgufFile> parts);

/// The names of all parts when `path` is called like one ("x-00002-of-00003.gguf"): from 1 to the count, in order; otherwise
/// nothing.
std::vector<std::string> gguf_part_names(std::string_view path);

/// A model file as the planner uses it.
struct GgufModel {
  TransformerModel model;
  WeightBytes weights;        ///< exact, from the tensor list; their total is the file's tensor bytes
  std::string weight_format;  ///< the format of most weights
  std::string weight_mix;     ///< the weight mix that is nearest to the file in bytes: "Q4_K_M"; empty: none is alike
};

/// Shape and bytes of the file. @throws DataError that names the missing key.
GgufModel gguf_model(const GgufFile& file);

/// Reads a file, or all parts of a split one, from the disk. `notice` tells when another part than the first was named.
/// @throws DataError
GgufModel load_gguf(const std::string& path, std::string* notice = nullptr);

}  // namespace rigplan
