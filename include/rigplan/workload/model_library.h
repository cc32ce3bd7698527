// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigplan/workload/model.h"

namespace rigplan {

class JsonFile;

/// All known model shapes, by id. The files compiled into the program are read when a name in them is asked for, so that a
/// command which needs one model does not wait for three hundred. Not to be shared between threads while names are looked up.
class ModelLibrary {
 public:
  /// The shapes compiled into the program.
  ModelLibrary();
  ModelLibrary(ModelLibrary&&) noexcept = default;
  ModelLibrary& operator=(ModelLibrary&&) noexcept = default;

  /// Lays a file ("schema": "rigplan/models/1") over what is there: an entry with a known id replaces only the fields that it
  /// states. @throws DataError with file, line and pointer.
  void add(const JsonFile& file);

  /// By id or alias, in the usual spellings: without regard to case, "_" and " " as "-", behind an owner ("Qwen/Qwen3-8B"), with
  /// "-Instruct", "-Chat", "-it", "-hf" or "-GGUF" at the end. nullptr when unknown. The pointer is good until add().
  const TransformerModel* find(std::string_view name);

  /// All entries in the order of the files.
  const std::vector<TransformerModel>& entries();
  std::vector<std::string> ids();

 private:
  void read_built_in(std::size_t index);
  const TransformerModel* find_read(std::string_view folded) const;

  std::vector<std::vector<TransformerModel>> shelves_;  ///< one for each compiled-in file, one more for added files
  std::vector<bool> read_;
  std::vector<TransformerModel> all_;
  bool all_current_ = false;
};

/// "Qwen/Qwen3_8B-Instruct.gguf" -> "qwen3-8b-instruct": what names are compared by.
std::string folded_model_name(std::string_view name);

/// Reads the entries of a models file into `models`. @throws DataError with file, line and pointer.
void read_models(const JsonFile& file, std::vector<TransformerModel>& models);

}  // namespace rigplan
