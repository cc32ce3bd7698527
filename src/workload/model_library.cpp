// SPDX-License-Identifier: Apache-2.0
#include "rigplan/workload/model_library.h"

#include <algorithm>

#include "rigplan/json/cursor.h"
#include "rigplan/json/embedded_data.h"
#include "rigplan/json/json_file.h"

namespace rigplan {
namespace {

constexpr std::string_view folder = "data/models/";

std::vector<EmbeddedFile> built_in_files() {
  std::vector<EmbeddedFile> files;
  for (const auto& file : embedded_files()) {
    if (file.name.starts_with(folder)) files.push_back(file);
  }
  return files;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Endings that name a variant with the same shape.
constexpr std::string_view variants[] = {"-instruct", "-chat", "-it", "-hf", "-base", "-gguf", "-bf16"};

bool is_called(const TransformerModel& model, std::string_view folded) {
  return folded_model_name(model.id) == folded || folded_model_name(model.name) == folded ||
         std::ranges::any_of(model.aliases, [&](const std::string& alias) { return folded_model_name(alias) == folded; });
}

}  // namespace

std::string folded_model_name(std::string_view name) {
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  std::string folded;
  for (const char c : name) folded += c == '_' || c == ' ' ? '-' : lower(c);
  if (folded.ends_with(".gguf")) folded.resize(folded.size() - 5);
  return folded;
}

ModelLibrary::ModelLibrary() {
  const auto files = built_in_files().size();
  shelves_.resize(files + 1);
  read_.resize(files, false);
}

void ModelLibrary::read_built_in(std::size_t index) {
  if (read_[index]) return;
  read_models(JsonFile::read(built_in_files()[index]), shelves_[index]);
  read_[index] = true;
  all_current_ = false;
}

void ModelLibrary::add(const JsonFile& file) {
  // A known entry is moved to the last shelf before it is laid over, so that what is found is the changed one.
  ObjectReader root{Cursor{file}};
  for (const auto& at : root.required("models").elements()) {
    const auto& id = ObjectReader{at}.required("id").text();
    const auto* known = find(id);
    auto& added = shelves_.back();
    if (!known || known->id != id || std::ranges::find(added, id, &TransformerModel::id) != added.end()) continue;
    for (auto& shelf : shelves_) {
      const auto entry = std::ranges::find(shelf, id, &TransformerModel::id);
      if (entry == shelf.end() || &shelf == &added) continue;
      added.push_back(std::move(*entry));
      shelf.erase(entry);
      break;
    }
  }
  read_models(file, shelves_.back());
  all_current_ = false;
}

const TransformerModel* ModelLibrary::find_read(std::string_view folded) const {
  for (auto shelf = shelves_.rbegin(); shelf != shelves_.rend(); ++shelf) {
    const auto at = std::ranges::find_if(*shelf, [&](const TransformerModel& model) { return is_called(model, folded); });
    if (at != shelf->end()) return &*at;
  }
  return nullptr;
}

const TransformerModel* ModelLibrary::find(std::string_view name) {
  const auto folded = folded_model_name(name);
  if (folded.empty()) return nullptr;
  // Files that hold the name between quotation marks come first; mostly one of them is all that must be read.
  const auto files = built_in_files();
  const std::string quoted = "\"" + folded + "\"";
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].text.find(quoted) != std::string_view::npos) read_built_in(i);
  }
  if (const auto* found = find_read(folded)) return found;
  for (std::size_t i = 0; i < files.size(); ++i) read_built_in(i);
  if (const auto* found = find_read(folded)) return found;
  for (const auto variant : variants) {
    if (folded.size() > variant.size() && folded.ends_with(variant))
      return find(folded.substr(0, folded.size() - variant.size()));
  }
  return nullptr;
}

const std::vector<TransformerModel>& ModelLibrary::entries() {
  for (std::size_t i = 0; i < read_.size(); ++i) read_built_in(i);
  if (!all_current_) {
    all_.clear();
    for (const auto& shelf : shelves_) all_.insert(all_.end(), shelf.begin(), shelf.end());
    all_current_ = true;
  }
  return all_;
}

std::vector<std::string> ModelLibrary::ids() {
  std::vector<std::string> names;
  for (const auto& model : entries()) names.push_back(model.id);
  return names;
}

}  // namespace rigplan
