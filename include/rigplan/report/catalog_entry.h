// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// A price row with what its age makes of it.
struct AgedPriceRow {
  PriceRow row;
  std::optional<int> age_days;  ///< on the policy's day; nothing: undated
  bool stale = false;           ///< undated, or older than the policy allows
  bool later = false;           ///< seen after the policy's day, so not used
};

struct ExplainedWarning {
  std::string code, title;
};

/// Everything that the catalog says of one id.
struct CatalogEntryReport {
  std::string family;  ///< "gpus"
  Entry entry;
  bool disputed = false;
  std::vector<ExplainedWarning> warnings;
  bool can_have_price = false;
  std::optional<Price> price;
  std::vector<AgedPriceRow> price_rows;  ///< newest first
  std::vector<EngineSupport> support;    ///< of the card's architecture
  std::vector<RentOffer> rent;           ///< of the card
};

/// The entry called `name`, by id in any family, then by name or alias. Nothing when there is none.
std::optional<CatalogEntryReport> catalog_entry(const Catalog& catalog, std::span<const TransformerModel> models,
                                                std::string_view name);
/// Ids, names and aliases of all entries, for suggestions.
std::vector<std::string> catalog_names(const Catalog& catalog, std::span<const TransformerModel> models);

/// How a price follows from its rows, in the words of price_from_rows().
std::string_view price_rule();

std::string to_text(const CatalogEntryReport& report, const Screen& screen = {});
/// {"schema": "rigplan/catalog-entry/1", "query": {"id": ...}, ...}
JsonValue to_json(const CatalogEntryReport& report);

/// A warning code, what it means, and which entries carry it.
struct WarningReport {
  Warning warning;
  std::vector<std::string> carried_by;  ///< ids of cards, architectures, boards, parts and support rows
};
std::optional<WarningReport> warning_report(const Catalog& catalog, std::string_view code);
std::string to_text(const WarningReport& report);
/// {"schema": "rigplan/explain/1", "query": {"code": ...}, ...}
JsonValue to_json(const WarningReport& report);

}  // namespace rigplan
