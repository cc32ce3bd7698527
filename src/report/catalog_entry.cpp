// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/catalog_entry.h"

#include <algorithm>
#include <type_traits>

#include "report/catalog_families.h"
#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

/// 0: the id itself; 1: id, name or an alias without regard to case; 2: another entry.
int distance(const Entry& entry, std::string_view name) {
  if (entry.id == name) return 0;
  if (same_name(entry.id, name) || same_name(entry.name, name)) return 1;
  const auto is_alias = [&](const std::string& alias) { return same_name(alias, name); };
  return std::any_of(entry.aliases.begin(), entry.aliases.end(), is_alias) ? 1 : 2;
}

std::vector<AgedPriceRow> aged_rows(const Catalog& catalog, const std::string& item) {
  std::vector<AgedPriceRow> rows;
  for (const auto* row : catalog.price_rows(item)) {
    const auto age = price_age_days(row->date, catalog.price_policy.as_of);
    rows.push_back({*row, age, !age || *age > catalog.price_policy.max_age_days, age && *age < 0});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row.date > b.row.date; });
  return rows;
}

template <class T>
CatalogEntryReport describe(const Catalog& catalog, std::string_view family, const T& entry) {
  CatalogEntryReport report;
  report.family = family;
  report.entry = entry;
  for (const auto& code : warnings_of(entry)) {
    const auto* known = catalog.warnings.find(code);
    report.warnings.push_back({code, known ? known->title : ""});
  }
  report.can_have_price = family == "gpus" || family == "boards" || family == "cpus" || family == "parts";
  if (report.can_have_price) {
    report.price = catalog.price(entry.id);
    report.price_rows = aged_rows(catalog, entry.id);
  }
  if constexpr (std::is_same_v<T, Gpu>) {
    report.disputed = entry.disputed;
    for (const auto& row : catalog.support)
      if (row.architecture == entry.architecture) report.support.push_back(row);
    for (const auto& offer : catalog.rent.entries)
      if (offer.gpu == entry.id) report.rent.push_back(offer);
  }
  return report;
}

}  // namespace

std::optional<CatalogEntryReport> catalog_entry(const Catalog& catalog, std::span<const TransformerModel> models,
                                                std::string_view name) {
  int nearest = 2;
  std::optional<CatalogEntryReport> report;
  for_each_entry(catalog, models, [&](std::string_view family, const auto& entry) {
    const int how_far = distance(entry, name);
    if (how_far >= nearest) return;
    nearest = how_far;
    report = describe(catalog, family, entry);
  });
  return report;
}

std::vector<std::string> catalog_names(const Catalog& catalog, std::span<const TransformerModel> models) {
  std::vector<std::string> names;
  for_each_entry(catalog, models, [&](std::string_view, const auto& entry) { names.push_back(entry.id); });
  for_each_entry(catalog, models, [&](std::string_view, const auto& entry) {
    names.push_back(entry.name);
    names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
  });
  return names;
}

std::optional<WarningReport> warning_report(const Catalog& catalog, std::string_view code) {
  const auto* warning = catalog.warnings.find(code);
  if (!warning) return std::nullopt;
  WarningReport report{*warning, {}};
  for_each_entry(catalog, {}, [&](std::string_view, const auto& entry) {
    const auto codes = warnings_of(entry);
    if (std::find(codes.begin(), codes.end(), warning->id) != codes.end()) report.carried_by.push_back(entry.id);
  });
  return report;
}

std::string_view price_rule() {
  return msg(
      "rows seen (sold, bought, retail, asking) before thought ones (list, estimate) before claims; second-hand before new; "
      "the twelve months before the newest; likely is the median of the deals of the last half year of these, else of the "
      "offers; low and high are the extremes, widened by estimates and claims where fewer than three rows count");
}

}  // namespace rigplan
