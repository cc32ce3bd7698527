// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/session.h"
#include "rigplan/json/value.h"

namespace rigplan {

/// What reading one file gave.
struct CheckedFile {
  std::string name;
  std::string schema;  ///< "rigplan/gpus/1"; empty: a JSON Schema, which is no data
  int entries = 0;     ///< in the file
};

struct CatalogCheck {
  std::vector<CheckedFile> files;
};

/// Reads files and folders over the catalog in force; without any, the files behind that catalog.
/// @throws DataError for the first fault, with file, line and pointer.
CatalogCheck check_catalog(const Session& session, const std::vector<std::string>& paths);

std::string to_text(const CatalogCheck& check);
/// {"schema": "rigplan/catalog-check/1", "query": {...}, "ok": true, "files": [...]}
JsonValue to_json(const CatalogCheck& check);

}  // namespace rigplan
