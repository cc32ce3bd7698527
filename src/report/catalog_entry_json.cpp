// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/catalog_entry.h"
#include "rigplan/report/json_values.h"

namespace rigplan {
namespace {

JsonValue source_json(const Source& source) {
  return JsonValue::object().set("where", source.where).set("date", text_or_null(source.date));
}

JsonValue sources_json(const std::vector<Source>& sources) {
  auto json = JsonValue::array();
  for (const auto& source : sources) json.push(source_json(source));
  return json;
}

JsonValue figure_json(const Figure& figure) {
  auto also = JsonValue::array();
  for (const auto& other : figure.also)
    also.push(JsonValue::object()
                  .set("value", other.value)
                  .set("kind", to_text(other.kind))
                  .set("sources", sources_json(other.sources)));
  return JsonValue::object()
      .set("field", figure.field)
      .set("value", figure.value)
      .set("kind", to_text(figure.kind))
      .set("sources", sources_json(figure.sources))
      .set("also", std::move(also));
}

JsonValue price_json(const Price& price) {
  return JsonValue::object()
      .set("yuan", range_json(price.range, yuan))
      .set("condition", to_text(price.condition))
      .set("basis", to_text(price.basis))
      .set("rows", price.rows)
      .set("newest", text_or_null(price.newest))
      .set("oldest", text_or_null(price.oldest))
      .set("stale", price.stale);
}

JsonValue optional_json(const std::optional<double>& value) { return value ? JsonValue{*value} : JsonValue{}; }

JsonValue row_json(const AgedPriceRow& row) {
  return JsonValue::object()
      .set("date", text_or_null(row.row.date))
      .set("amount", row.row.amount.amount)
      .set("low", optional_json(row.row.low))
      .set("high", optional_json(row.row.high))
      .set("currency", row.row.amount.currency)
      .set("basis", to_text(row.row.basis))
      .set("condition", to_text(row.row.condition))
      .set("kind", to_text(row.row.kind))
      .set("place", text_or_null(row.row.place))
      .set("note", text_or_null(row.row.note))
      .set("source", source_json(row.row.source))
      .set("age_days", row.age_days ? JsonValue{*row.age_days} : JsonValue{})
      .set("stale", row.stale)
      .set("later", row.later);
}

JsonValue support_json(const EngineSupport& row) {
  const auto value = [&](std::string_view field) {
    const auto* figure = find_figure(row, field);
    return figure ? JsonValue{figure->value} : JsonValue{};
  };
  return JsonValue::object()
      .set("engine", row.engine)
      .set("level", value("level"))
      .set("last_good_version", text_or_null(row.last_good_version))
      .set("detail", value("detail"))
      .set("warnings", texts_json(row.warnings));
}

JsonValue rent_json(const RentOffer& offer) {
  return JsonValue::object()
      .set("id", offer.id)
      .set("provider", offer.provider)
      .set("per_card_hour", offer.per_card_hour.amount)
      .set("currency", offer.per_card_hour.currency)
      .set("terms", offer.terms)
      .set("date", text_or_null(offer.date))
      .set("source", source_json(offer.source));
}

template <class T, class ToJson>
JsonValue array_json(const std::vector<T>& values, ToJson to) {
  auto json = JsonValue::array();
  for (const auto& value : values) json.push(to(value));
  return json;
}

}  // namespace

JsonValue to_json(const CatalogEntryReport& report) {
  const auto& entry = report.entry;
  const auto warning = [](const ExplainedWarning& one) {
    return JsonValue::object().set("code", one.code).set("title", one.title);
  };
  auto json = JsonValue::object()
                  .set("schema", "rigplan/catalog-entry/1")
                  .set("query", JsonValue::object().set("id", entry.id))
                  .set("family", report.family)
                  .set("id", entry.id)
                  .set("name", entry.name)
                  .set("aliases", texts_json(entry.aliases))
                  .set("file", entry.file)
                  .set("overlays", entry.overlays)
                  .set("disputed", report.disputed)
                  .set("fields", array_json(entry.figures, figure_json))
                  .set("warnings", array_json(report.warnings, warning))
                  .set("notes", texts_json(entry.notes));
  if (report.can_have_price)
    json.set("price", report.price ? price_json(*report.price) : JsonValue{})
        .set("price_rule", price_rule())
        .set("price_rows", array_json(report.price_rows, row_json));
  if (!report.support.empty()) json.set("engines", array_json(report.support, support_json));
  if (!report.rent.empty()) json.set("rent", array_json(report.rent, rent_json));
  return json;
}

JsonValue to_json(const WarningReport& report) {
  const auto& warning = report.warning;
  return JsonValue::object()
      .set("schema", "rigplan/explain/1")
      .set("query", JsonValue::object().set("code", warning.id))
      .set("code", warning.id)
      .set("title", warning.title)
      .set("meaning", warning.meaning)
      .set("check", warning.check)
      .set("carried_by", texts_json(report.carried_by));
}

}  // namespace rigplan
