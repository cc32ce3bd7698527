// SPDX-License-Identifier: Apache-2.0
#include "rigplan/json/figure_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/units/message.h"

namespace rigplan {
namespace {

constexpr std::string_view kind_names[] = {msg("quoted"), msg("measured"), msg("inferred")};

FigureKind read_kind(Cursor at) { return static_cast<FigureKind>(at.one_of(kind_names)); }

/// The value as text: a string as it stands, anything else as JSON.
std::string value_text(Cursor at) {
  if (at.is_text()) return at.text();
  if (const auto* boolean = at.value().boolean()) return *boolean ? "true" : "false";
  if (const auto* integer = at.value().integer()) return std::to_string(*integer);
  return to_json_text(at.value(), 0);
}

}  // namespace

std::string read_calendar_date(Cursor at) {
  const auto& text = at.text();
  const auto part = [&](std::size_t begin, std::size_t length, int least, int greatest) {
    int number = 0;
    for (std::size_t i = begin; i < begin + length; ++i) {
      if (i >= text.size() || text[i] < '0' || text[i] > '9') return 0;
      number = 10 * number + (text[i] - '0');
    }
    return number >= least && number <= greatest ? number : 0;
  };
  const int year = part(0, 4, 1990, 2100), month = part(5, 2, 1, 12);
  const bool leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  constexpr int days[] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int day = part(8, 2, 1, month == 2 && leap_year ? 29 : days[month]);
  const bool dashes = (text.size() < 5 || text[4] == '-') && (text.size() < 8 || text[7] == '-');
  const bool complete = text.size() == 4 || (text.size() == 7 && month) || (text.size() == 10 && month && day);
  if (!year || !dashes || !complete)
    at.fail(fmt::format("is \"{}\"; expected a date such as \"2026-02-07\", \"2026-02\" or \"2026\"", text));
  return text;
}

std::string_view to_text(FigureKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

const std::vector<Source> Sources::none;

const Figure* find_figure(const Entry& entry, std::string_view field) {
  const auto at = std::find_if(entry.figures.begin(), entry.figures.end(), [&](const Figure& f) { return f.field == field; });
  return at == entry.figures.end() ? nullptr : &*at;
}

SourceTable::SourceTable(std::optional<Cursor> sources) {
  if (!sources) return;
  for (const auto& [key, at] : sources->members()) {
    ObjectReader object{at};
    Source source;
    source.where = object.required("where").text();
    if (const auto date = object.optional("date")) source.date = read_calendar_date(*date);
    object.finish();
    sources_.emplace(key, Sources{std::vector{std::move(source)}});
    keys_.push_back(key);
  }
}

const Sources& SourceTable::found(Cursor key) const {
  const auto at = sources_.find(key.text());
  if (at == sources_.end()) key.fail(fmt::format("no source \"{}\" in this file{}", key.text(), did_you_mean(key.text(), keys_)));
  return at->second;
}

const Source& SourceTable::one(Cursor key) const { return found(key).all().front(); }

Sources SourceTable::find(Cursor keys) const {
  if (!keys.is_array()) return found(keys);
  std::vector<Source> all;
  for (const auto& key : keys.elements()) all.push_back(one(key));
  return Sources{std::move(all)};
}

FigureReader::FigureReader(Cursor at, const SourceTable& sources, Entry& entry, std::string fallback_source)
    : object_{at}, sources_{sources}, entry_{entry} {
  if (!fallback_source.empty()) default_sources_ = Sources{std::vector{Source{std::move(fallback_source), ""}}};
  entry.id = object_.required("id").text();
  entry.figures.reserve(std::max(entry.figures.capacity(), at.value().members()->size()));
  if (const auto name = object_.optional("name")) entry.name = name->text();
  if (entry.name.empty()) entry.name = entry.id;
  if (const auto aliases = object_.optional("aliases")) entry.aliases = aliases->texts();
  if (const auto notes = object_.optional("notes")) entry.notes = notes->texts();
  if (const auto source = object_.optional("source")) default_sources_ = sources.find(*source);
  if (const auto kind = object_.optional("kind")) default_kind_ = read_kind(*kind);
}

Cursor FigureReader::required(std::string_view field) { return note(field, object_.required(field)); }

std::optional<Cursor> FigureReader::optional(std::string_view field) {
  const auto found = object_.optional(field);
  if (!found) return std::nullopt;
  return note(field, *found);
}

Cursor FigureReader::note(std::string_view field, Cursor found) {
  Figure figure{std::string{field}, "", default_kind_, default_sources_, {}};
  auto value = found;
  if (found.is_object()) {
    ObjectReader object{found};
    value = object.required("value");
    if (const auto kind = object.optional("kind")) figure.kind = read_kind(*kind);
    if (const auto source = object.optional("source")) figure.sources = sources_.find(*source);
    if (const auto also = object.optional("also")) {
      for (const auto& element : also->elements()) {
        ObjectReader other{element};
        OtherFigure statement{value_text(other.required("value")), FigureKind::quoted, sources_.find(other.required("source"))};
        if (const auto kind = other.optional("kind")) statement.kind = read_kind(*kind);
        other.finish();
        figure.also.push_back(std::move(statement));
      }
    }
    object.finish();
  }
  if (figure.sources.empty()) found.fail("has no source; give the entry or the field a \"source\"");
  figure.value = value_text(value);
  const auto same = [&](const Figure& f) { return f.field == figure.field; };
  const auto before = std::find_if(entry_.figures.begin(), entry_.figures.end(), same);
  if (before == entry_.figures.end())
    entry_.figures.push_back(std::move(figure));
  else
    *before = std::move(figure);
  return value;
}

}  // namespace rigplan
