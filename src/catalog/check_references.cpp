// SPDX-License-Identifier: Apache-2.0
#include "catalog/check_references.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/json/json_file.h"

namespace rigplan {
namespace {

const JsonValue* find_text(const JsonValue& value, std::string_view text) {
  if (value.text() && *value.text() == text) return &value;
  if (const auto* elements = value.elements())
    for (const auto& element : *elements)
      if (const auto* found = find_text(element, text)) return found;
  if (const auto* members = value.members())
    for (const auto& member : *members)
      if (const auto* found = find_text(member.value, text)) return found;
  return nullptr;
}

/// The value `text` inside the entry with this id, in any array of the file.
const JsonValue* find_in_entry(const JsonValue& root, std::string_view id, std::string_view text) {
  if (!root.members()) return nullptr;
  for (const auto& family : *root.members()) {
    if (!family.value.elements()) continue;
    for (const auto& entry : *family.value.elements()) {
      const auto* found_id = entry.find("id");
      if (!found_id || !found_id->text() || *found_id->text() != id) continue;
      if (const auto* found = find_text(entry, text)) return found;
    }
  }
  return nullptr;
}

class Checker {
 public:
  Checker(const Catalog& catalog, std::span<const CatalogFile> files) : catalog_{catalog}, files_{files} {}

  template <class T>
  void refers(const Entry& entry, const std::string& name, const Shelf<T>& shelf, std::string_view what) const {
    const auto& all = shelf.entries;
    if (std::any_of(all.begin(), all.end(), [&](const T& one) { return one.id == name; })) return;
    throw DataError{place(entry, name), fmt::format("is \"{}\"; no such {}{}", name, what, did_you_mean(name, shelf.ids()))};
  }
  void warnings(const Entry& entry, const std::vector<std::string>& codes) const {
    if (catalog_.warnings.entries.empty()) return;
    for (const auto& code : codes) refers(entry, code, catalog_.warnings, "warning code");
  }

 private:
  /// Files are read again only here, to name a line. The newest file that says it is the one to mend.
  Place place(const Entry& entry, const std::string& name) const {
    for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
      const auto json = file->parse();
      if (const auto* found = find_in_entry(json.root(), entry.id, name)) return json.place_of(*found);
    }
    return {entry.file, 0, ""};
  }

  const Catalog& catalog_;
  std::span<const CatalogFile> files_;
};

}  // namespace

void check_references(const Catalog& catalog, std::span<const CatalogFile> files) {
  const Checker checker{catalog, files};
  for (const auto& gpu : catalog.gpus.entries) {
    checker.refers(gpu, gpu.architecture, catalog.architectures, "architecture");
    checker.warnings(gpu, gpu.warnings);
  }
  for (const auto& architecture : catalog.architectures.entries) checker.warnings(architecture, architecture.warnings);
  for (const auto& row : catalog.support) {
    checker.refers(row, row.engine, catalog.engines, "engine");
    checker.refers(row, row.architecture, catalog.architectures, "architecture");
    checker.warnings(row, row.warnings);
  }
  for (const auto& board : catalog.boards.entries) checker.warnings(board, board.warnings);
  for (const auto& part : catalog.parts.entries) checker.warnings(part, part.warnings);
  if (!catalog.gpus.entries.empty())
    for (const auto& offer : catalog.rent.entries)
      if (!offer.gpu.empty()) checker.refers(offer, offer.gpu, catalog.gpus, "card");
  for (const auto& planning : catalog.planning.entries) {
    if (!catalog.tariffs.entries.empty()) checker.refers(planning, planning.tariff, catalog.tariffs, "tariff");
    if (!catalog.circuits.entries.empty()) checker.refers(planning, planning.circuit, catalog.circuits, "circuit");
  }
}

}  // namespace rigplan
