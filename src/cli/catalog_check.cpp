// SPDX-License-Identifier: Apache-2.0
#include "cli/catalog_check.h"

#include <fmt/format.h>

#include "rigplan/catalog/calibration.h"
#include "rigplan/catalog/training_stack.h"
#include "rigplan/json/cursor.h"
#include "rigplan/json/json_file.h"
#include "rigplan/report/text_table.h"
#include "text/tr.h"

namespace rigplan {
namespace {

/// Elements of the arrays at the top of a file.
int count_entries(const JsonValue& root) {
  std::size_t count = 0;
  for (const auto& member : *root.members())
    if (const auto* elements = member.value.elements()) count += elements->size();
  return static_cast<int>(count);
}

CheckedFile checked(const CatalogFile& file) {
  const auto json = file.parse();
  if (!json.root().members()) return {file.name, "none", 0};  // the reader says what is wrong
  const auto* schema = json.root().find("schema");
  if (!schema && json.root().find("$schema")) return {file.name, "", 0};
  return {file.name, schema && schema->text() ? *schema->text() : "none", count_entries(json.root())};
}

/// Reads a file of data/ that is not part of the catalog itself; false for all others.
bool read_elsewhere(const Session& session, const CatalogFile& file, const CheckedFile& checked) {
  if (checked.schema.empty()) return true;
  const auto json = file.parse();
  if (checked.schema == "rigplan/models/1")
    session.models().add(json);
  else if (checked.schema == "rigplan/training-stacks/1")
    read_training_stacks(json);
  else if (checked.schema == "rigplan/calibration/1")
    read_calibration(Cursor{json});
  else
    return false;
  return true;
}

}  // namespace

CatalogCheck check_catalog(const Session& session, const std::vector<std::string>& paths) {
  CatalogCheck check;
  auto catalog_files = session.catalog_files();
  if (paths.empty()) {
    session.catalog();
    session.models().entries();
    for (const auto& file : catalog_files) check.files.push_back(checked(file));
    return check;
  }
  for (const auto& path : paths) {
    for (const auto& name : json_files_at(path)) {
      CatalogFile file{name, read_file(name)};
      check.files.push_back(checked(file));
      if (!read_elsewhere(session, file, check.files.back())) catalog_files.push_back(std::move(file));
    }
  }
  session.catalog_of(catalog_files);
  return check;
}

std::string to_text(const CatalogCheck& check) {
  TextTable table{{{tr("file")}, {tr("schema")}, {tr("entries"), Align::right}}};
  int entries = 0;
  for (const auto& file : check.files) {
    table.row(
        {file.name, file.schema.empty() ? "JSON Schema" : file.schema, file.schema.empty() ? "" : std::to_string(file.entries)});
    entries += file.entries;
  }
  return table.text() +
         trf("{} file{}, {} entries: all can be read\n", check.files.size(), check.files.size() == 1 ? "" : "s", entries);
}

JsonValue to_json(const CatalogCheck& check) {
  auto files = JsonValue::array();
  for (const auto& file : check.files)
    files.push(JsonValue::object()
                   .set("file", file.name)
                   .set("schema", file.schema.empty() ? JsonValue{} : JsonValue{file.schema})
                   .set("entries", file.entries));
  return JsonValue::object()
      .set("schema", "rigplan/catalog-check/1")
      .set("query", JsonValue::object())
      .set("ok", true)
      .set("files", std::move(files));
}

}  // namespace rigplan
