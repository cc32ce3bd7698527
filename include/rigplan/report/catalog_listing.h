// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/report/text_table.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// One family of the catalog, an entry a line with the figures that matter most.
struct CatalogListing {
  struct Column {
    std::string head;  ///< for people, with the unit: "VRAM GiB"
    std::string key;   ///< in JSON: "vram_gib"
    Align align = Align::left;
  };
  struct Cell {
    std::string text;
    JsonValue value;
  };
  std::string family;  ///< "gpus"
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

/// The families that can be listed, in the order in which they are shown.
std::span<const std::string_view> listable_families();

/// @param family one of listable_families().
/// @param models the model shapes, needed for the family "models" only.
CatalogListing list_catalog(const Catalog& catalog, std::string_view family, std::span<const TransformerModel> models);

std::string to_text(const CatalogListing& listing, const Screen& screen = {});
/// {"schema": "rigplan/catalog-list/1", "query": {"family": ...}, "rows": [...]}
JsonValue to_json(const CatalogListing& listing);

}  // namespace rigplan
