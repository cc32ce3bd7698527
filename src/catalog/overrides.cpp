// SPDX-License-Identifier: Apache-2.0
#include "catalog/overrides.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/catalog/stated_price.h"
#include "rigplan/json/data_error.h"
#include "rigplan/json/value.h"
#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

struct Path {
  std::string family, id, field;
};

[[noreturn]] void fail(const Override& change, const std::string& message) {
  throw DataError{{"--set", 0, ""}, fmt::format("{}={}: {}", change.path, change.value, message)};
}

/// Ids may hold points ("pcie-4.0-riser"), priced_families and fields do not.
Path split_path(const Override& change) {
  const auto first = change.path.find('.'), last = change.path.rfind('.');
  if (first == std::string::npos || first == last || first == 0 || last + 1 == change.path.size())
    fail(change, msg("is not a path; expected family.id.field=value such as gpus.some-card.price=\"900 yuan\""));
  return {change.path.substr(0, first), change.path.substr(first + 1, last - first - 1), change.path.substr(last + 1)};
}

template <class Entries>
void add_ids(const Entries& entries, std::vector<std::string>& ids) {
  for (const auto& entry : entries) ids.push_back(entry.id);
}

std::vector<std::string> ids_of(const Catalog& catalog, std::string_view family) {
  std::vector<std::string> ids;
  if (family == "gpus") add_ids(catalog.gpus.entries, ids);
  if (family == "architectures") add_ids(catalog.architectures.entries, ids);
  if (family == "boards") add_ids(catalog.boards.entries, ids);
  if (family == "cpus") add_ids(catalog.cpus.entries, ids);
  if (family == "parts") add_ids(catalog.parts.entries, ids);
  if (family == "engines") add_ids(catalog.engines.entries, ids);
  if (family == "support") add_ids(catalog.support, ids);
  if (family == "rent") add_ids(catalog.rent.entries, ids);
  if (family == "efficiencies") add_ids(catalog.efficiencies.entries, ids);
  if (family == "tariffs") add_ids(catalog.tariffs.entries, ids);
  if (family == "circuits") add_ids(catalog.circuits.entries, ids);
  if (family == "sites") add_ids(catalog.sites.entries, ids);
  if (family == "socket_links") add_ids(catalog.socket_links.entries, ids);
  if (family == "hosts") add_ids(catalog.hosts.entries, ids);
  if (family == "planning") add_ids(catalog.planning.entries, ids);
  return ids;
}

constexpr std::string_view priced_families[] = {"gpus",     "architectures", "boards",       "cpus",         "parts",
                                                "engines",  "support",       "rent",         "efficiencies", "tariffs",
                                                "circuits", "sites",         "socket_links", "hosts",        "planning"};

/// What a value on a command line is in JSON: true, false and numbers as such, all else text.
JsonValue to_json(const std::string& text) {
  if (text == "true" || text == "false") return JsonValue{text == "true"};
  const auto integer = parse_integer(text, -1'000'000'000'000, 1'000'000'000'000);
  if (const auto* value = std::get_if<long long>(&integer)) return JsonValue{static_cast<std::int64_t>(*value)};
  const auto number = parse_number(text);
  if (const auto* value = std::get_if<double>(&number)) return JsonValue{*value};
  return JsonValue{text};
}

/// "900 yuan" or "120 USD".
Money read_money(const Override& change, const Exchange& exchange) {
  const auto parsed = parse_money(change.value);
  if (const auto* error = std::get_if<UnitError>(&parsed)) fail(change, error->message);
  const auto& money = std::get<Money>(parsed);
  if (!exchange.convert(money)) fail(change, fmt::format("there is no exchange rate for {}", money.currency));
  if (!(money.amount > 0)) fail(change, msg("is no price above zero; what is already yours costs what it would sell for"));
  return money;
}

PriceRow price_row_of(const Override& change, const std::string& item, const Catalog& catalog) {
  PriceRow row;
  row.item = item;
  row.amount = read_money(change, catalog.exchange);
  const auto known = catalog.price(item);  // another price makes no new card of a used one
  row.condition = known ? known->condition : Condition::unknown;
  row.date = catalog.price_policy.as_of;
  row.place = "--set";
  row.basis = PriceBasis::bought;
  row.source = {"--set " + change.path, catalog.price_policy.as_of};
  return row;
}

void set_price(const Override& change, const std::string& item, Catalog& catalog) {
  auto stated = price_row_of(change, item, catalog);
  std::erase_if(catalog.prices, [&](const PriceRow& row) { return row.item == item; });
  catalog.prices.push_back(std::move(stated));
}

/// @throws DataError for a family or an id that the catalog does not have
void check_path(const Override& change, const Path& path, const Catalog& catalog) {
  if (std::find(std::begin(priced_families), std::end(priced_families), path.family) == std::end(priced_families))
    fail(change, fmt::format("no family \"{}\"; expected one of {}", path.family, fmt::join(priced_families, ", ")));
  const auto ids = ids_of(catalog, path.family);
  if (std::find(ids.begin(), ids.end(), path.id) == ids.end())
    fail(change, fmt::format("no \"{}\" in {}{}", path.id, path.family, did_you_mean(path.id, ids)));
}

}  // namespace

std::string priced_item(const Override& change, const Catalog& catalog) {
  const auto path = split_path(change);
  check_path(change, path, catalog);
  return path.id;
}

Price stated_price(const Override& change, const Catalog& catalog) {
  const auto row = price_row_of(change, split_path(change).id, catalog);
  const PriceRow* rows[] = {&row};
  const auto price = price_from_rows(rows, catalog.exchange, catalog.price_policy);
  if (!price) fail(change, msg("counts for nothing under the price policy in force"));
  return *price;
}

void apply_override(const Override& change, Catalog& catalog, const std::function<void(const CatalogFile&)>& lay) {
  const auto path = split_path(change);
  check_path(change, path, catalog);
  if (path.field == "price") return set_price(change, path.id, catalog);

  auto entry = JsonValue::object();
  entry.set("id", path.id).set(path.field, to_json(change.value));
  auto root = JsonValue::object();
  root.set("schema", fmt::format("rigplan/{}/1", path.family)).set(path.family, JsonValue::array().push(std::move(entry)));
  try {
    lay({"--set", to_json_text(root, 0)});
  } catch (const DataError& error) {
    fail(change, error.message());
  }
}

}  // namespace rigplan
