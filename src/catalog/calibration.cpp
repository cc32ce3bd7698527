// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/calibration.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "rigplan/json/cursor.h"
#include "rigplan/json/embedded_data.h"

namespace rigplan {
namespace {

constexpr std::string_view schema = "rigplan/calibration/1";

FittedTerm read_term(Cursor at) {
  ObjectReader object{at};
  FittedTerm term;
  term.name = object.required("name").text();
  if (const auto unit = object.optional("unit")) {
    const auto* text = unit->value().text();
    term.unit = text && text->empty() ? "" : unit->text();  // shares have no unit
  }
  term.log_mean = object.required("log_mean").number_within(-100, 100);
  if (const auto spread = object.optional("log_spread")) term.log_spread = spread->number_within(0, 10);
  if (const auto offsets = object.optional("offsets"))
    for (const auto& [level, offset] : offsets->members()) term.offsets.emplace(level, offset.number_within(-20, 20));
  object.finish();
  return term;
}

ResidualSpread read_spread(Cursor at) {
  ObjectReader object{at};
  ResidualSpread spread;
  spread.kind = object.required("kind").text();
  spread.distance = object.required("distance").text();
  spread.low = object.required("low").number_within(-20, 0);
  spread.high = object.required("high").number_within(0, 20);
  if (const auto rows = object.optional("rows")) spread.rows = static_cast<int>(rows->integer(0, 1'000'000'000));
  object.finish();
  return spread;
}

}  // namespace

double FittedTerm::value(std::span<const std::string> levels) const {
  double log_value = log_mean;
  for (const auto& level : levels)
    if (const auto offset = offsets.find(level); offset != offsets.end()) log_value += offset->second;
  return std::exp(log_value);
}

double Calibration::value(std::string_view term, std::span<const std::string> levels) const {
  const auto found = terms.find(term);
  if (found == terms.end()) throw std::logic_error{fmt::format("calibration \"{}\" has no term \"{}\"", family, term)};
  return found->second.value(levels);
}

const ResidualSpread& Calibration::spread(std::string_view kind, std::string_view distance) const {
  const ResidualSpread* widest_of_kind = nullptr;
  const ResidualSpread* widest = nullptr;
  const auto wider = [](const ResidualSpread& a, const ResidualSpread* b) { return !b || a.high - a.low > b->high - b->low; };
  for (const auto& spread : spreads) {
    if (spread.kind == kind && spread.distance == distance) return spread;
    if (spread.kind == kind && wider(spread, widest_of_kind)) widest_of_kind = &spread;
    if (wider(spread, widest)) widest = &spread;
  }
  if (widest_of_kind) return *widest_of_kind;
  if (!widest) throw std::logic_error{fmt::format("calibration \"{}\" has no spreads", family)};
  return *widest;
}

Calibration read_calibration(Cursor at) {
  ObjectReader object{at};
  if (const auto named = object.required("schema"); named.text() != schema)
    named.fail(fmt::format("is \"{}\"; expected \"{}\"", named.text(), schema));
  Calibration calibration;
  calibration.family = object.required("family").text();
  if (const auto from = object.optional("fitted_from")) calibration.fitted_from = from->text();
  for (const auto& element : object.required("terms").elements()) {
    auto term = read_term(element);
    const auto name = term.name;
    if (!calibration.terms.emplace(name, std::move(term)).second) element.fail(fmt::format("the term \"{}\" stands twice", name));
  }
  if (const auto spreads = object.optional("spreads"))
    for (const auto& element : spreads->elements()) calibration.spreads.push_back(read_spread(element));
  if (const auto known = object.optional("known"))
    for (auto& level : known->texts()) calibration.known.insert(std::move(level));
  object.finish();
  return calibration;
}

JsonValue calibration_to_json(const Calibration& calibration) {
  auto root = JsonValue::object();
  root.set("schema", schema).set("family", calibration.family);
  if (!calibration.fitted_from.empty()) root.set("fitted_from", calibration.fitted_from);
  auto terms = JsonValue::array();
  for (const auto& [name, term] : calibration.terms) {
    auto offsets = JsonValue::object();
    for (const auto& [level, offset] : term.offsets) offsets.set(level, offset);
    auto entry = JsonValue::object();
    entry.set("name", name).set("unit", term.unit).set("log_mean", term.log_mean).set("log_spread", term.log_spread);
    terms.push(std::move(entry.set("offsets", std::move(offsets))));
  }
  auto spreads = JsonValue::array();
  for (const auto& spread : calibration.spreads) {
    auto entry = JsonValue::object();
    entry.set("kind", spread.kind).set("distance", spread.distance).set("low", spread.low).set("high", spread.high);
    spreads.push(std::move(entry.set("rows", spread.rows)));
  }
  auto known = JsonValue::array();
  for (const auto& level : calibration.known) known.push(level);
  root.set("terms", std::move(terms)).set("spreads", std::move(spreads)).set("known", std::move(known));
  return root;
}

Calibration built_in_calibration(std::string_view family) {
  const auto name = fmt::format("data/calibration/{}.json", family);
  for (const auto& file : embedded_files())
    if (file.name == name) return read_calibration(Cursor{JsonFile::read(file)});
  throw std::logic_error{fmt::format("there is no built-in calibration \"{}\"", family)};
}

}  // namespace rigplan
