// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "catalog/date.h"
#include "catalog/money.h"
#include "catalog/readers.h"
#include "rigplan/catalog/price.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

constexpr std::string_view bases[] = {msg("sold"), msg("bought"),   msg("retail"), msg("asking"),
                                      msg("list"), msg("estimate"), msg("claim"),  msg("forecast")};
constexpr std::string_view conditions[] = {msg("used"), msg("refurbished"), msg("modified"), msg("new"), msg("unknown")};
constexpr std::string_view kinds[] = {"quoted", "measured", "inferred"};

/// A bound of the row's span, in the currency of its price.
double read_bound(Cursor at, const Money& price) {
  const auto money = read_money(at);
  if (money.currency != price.currency) at.fail(fmt::format("is in {}; the price is in {}", money.currency, price.currency));
  return money.amount;
}

PriceRow read_price_row(Cursor at, const SourceTable& sources) {
  ObjectReader object{at};
  PriceRow row;
  row.item = object.required("item").text();
  row.amount = read_money(object.required("price"));
  if (const auto low = object.optional("low")) row.low = read_bound(*low, row.amount);
  if (const auto high = object.optional("high")) row.high = read_bound(*high, row.amount);
  if (row.low.value_or(row.amount.amount) > row.amount.amount || row.high.value_or(row.amount.amount) < row.amount.amount)
    at.fail("has a price outside of its own low and high");
  row.condition = static_cast<Condition>(object.required("condition").one_of(conditions));
  row.date = read_date(object.required("date"));
  if (const auto place = object.optional("place")) row.place = place->text();
  row.basis = static_cast<PriceBasis>(object.required("basis").one_of(bases));
  if (const auto kind = object.optional("kind")) row.kind = static_cast<FigureKind>(kind->one_of(kinds));
  row.source = sources.one(object.required("source"));
  if (const auto note = object.optional("note")) row.note = note->text();
  object.finish();
  return row;
}

bool same(const PriceRow& a, const PriceRow& b) {
  return a.item == b.item && a.amount == b.amount && a.condition == b.condition && a.date == b.date && a.place == b.place &&
         a.basis == b.basis && a.source == b.source && a.note == b.note;
}

}  // namespace

std::string_view to_text(PriceBasis basis) { return bases[static_cast<std::size_t>(basis)]; }
std::string_view to_text(Condition condition) { return conditions[static_cast<std::size_t>(condition)]; }

/// The rows of an item replace those that an earlier file had for it, so a user's prices are not averaged with others.
void read_prices(const JsonFile&, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  std::vector<PriceRow> rows;
  std::set<std::string, std::less<>> items;
  const auto elements = root.required("prices").elements();
  rows.reserve(elements.size());
  for (const auto& at : elements) {
    rows.push_back(read_price_row(at, sources));
    const bool first = items.insert(rows.back().item).second;
    if (!first && std::any_of(rows.begin(), rows.end() - 1, [&](const PriceRow& row) { return same(row, rows.back()); }))
      at.fail(fmt::format("states the same price of \"{}\" twice", rows.back().item));
  }
  std::erase_if(catalog.prices, [&](const PriceRow& row) { return items.contains(row.item); });
  std::move(rows.begin(), rows.end(), std::back_inserter(catalog.prices));
}

void read_exchange(const JsonFile&, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  for (const auto& at : root.required("exchange").elements()) {
    ObjectReader object{at};
    ExchangeRate rate;
    const auto currency = object.required("currency");
    rate.currency = currency.text();
    if (rate.currency.size() != 3 || rate.currency == "CNY")
      currency.fail(fmt::format("is \"{}\"; expected a three-letter code other than CNY, such as \"USD\"", rate.currency));
    rate.yuan = object.required("yuan").number_within(1e-6, 1e6);
    rate.date = read_date(object.required("date"));
    if (const auto kind = object.optional("kind")) rate.kind = static_cast<FigureKind>(kind->one_of(kinds));
    rate.source = sources.one(object.required("source"));
    if (const auto note = object.optional("note")) rate.note = note->text();
    object.finish();
    catalog.exchange.rates.push_back(rate);
  }
}

}  // namespace rigplan
