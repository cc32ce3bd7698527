// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "rigplan/report/catalog_entry.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr std::size_t longest_value = 72;

/// Numbers sources in the order in which they are first named, so that a table shows "[1] [3]" and the list stands below it.
class SourceList {
 public:
  std::string numbers(const std::vector<Source>& sources) {
    std::string text;
    for (const auto& source : sources) {
      auto at = std::find(all_.begin(), all_.end(), source);
      if (at == all_.end()) at = all_.insert(all_.end(), source);
      text += fmt::format("{}[{}]", text.empty() ? "" : " ", at - all_.begin() + 1);
    }
    return text;
  }
  std::string text() const {
    std::string lines;
    for (std::size_t i = 0; i < all_.size(); ++i)
      lines += fmt::format("  [{}] {}, {}\n", i + 1, tr(all_[i].where), all_[i].date.empty() ? tr("undated") : all_[i].date);
    return lines.empty() ? std::string{} : tr("sources\n") + lines;
  }

 private:
  std::vector<Source> all_;
};

std::string field_lines(const Entry& entry, SourceList& sources, const Screen& screen) {
  TextTable table{{{tr("field")}, {tr("value")}, {tr("kind")}, {tr("source")}}};
  table.narrowed({1, 0});
  for (const auto& figure : entry.figures) {
    // A shape of a model would push the other columns out of sight.
    const bool is_long = figure.value.size() > longest_value;
    table.row({figure.field, is_long ? tr("(below)") : figure.value, tr(to_text(figure.kind)), sources.numbers(figure.sources)});
    if (is_long) table.row_with_tail({"  " + figure.value});
    for (const auto& other : figure.also)
      table.row({tr("  but also"), other.value, tr(to_text(other.kind)), sources.numbers(other.sources)});
  }
  return table.empty() ? "" : table.text(screen, 2);
}

std::string amount(const PriceRow& row) {
  auto text = fmt::format("{} {}", format_whole(row.amount.amount), row.amount.currency);
  if (row.low || row.high)
    text += fmt::format(" [{}–{}]", format_whole(row.low.value_or(row.amount.amount)),
                        format_whole(row.high.value_or(row.amount.amount)));
  return text;
}

std::string flag(const AgedPriceRow& row) {
  if (!row.age_days) return tr("undated");
  if (row.later) return tr("later");
  return row.stale ? tr("old") : std::string{};
}

std::string price_lines(const CatalogEntryReport& report, SourceList& sources, const Screen& screen) {
  if (!report.can_have_price) return "";
  if (!report.price && report.price_rows.empty()) return tr("price\n  none known\n");
  std::string text = tr("price\n");
  if (report.price) {
    const auto& price = *report.price;
    text += trf("  {} yuan, {}, by {} row{}, the surest {}; newest {}, oldest {}{}\n",
                format_range({price.range.low.in(yuan), price.range.likely.in(yuan), price.range.high.in(yuan)}),
                to_text(price.condition), price.rows, price.rows == 1 ? "" : "s", to_text(price.basis),
                price.newest.empty() ? tr("undated") : price.newest, price.oldest.empty() ? tr("undated") : price.oldest,
                price.stale ? tr("; OLD, look it up again") : std::string{});
  } else {
    text += tr("  no row that may be used\n");
  }
  text += trf("  rule: {}\n", price_rule());
  TextTable table{{{tr("date")},
                   {tr("price"), Align::right},
                   {tr("basis")},
                   {tr("condition")},
                   {tr("flag")},
                   {trc("price", "place")},
                   {tr("source")}}};
  table.narrowed({5}, {2, 4, 3});
  for (const auto& row : report.price_rows)
    table.row_with_tail({row.row.date.empty() ? "–" : row.row.date, amount(row.row), tr(to_text(row.row.basis)),
                         tr(to_text(row.row.condition)), flag(row), row.row.place, sources.numbers({row.row.source})});
  return text + table.text(screen, 2);
}

std::string support_lines(const std::vector<EngineSupport>& support, const Screen& screen) {
  if (support.empty()) return "";
  TextTable table{{{tr("engine")}, {tr("level")}, {tr("last good version")}, {tr("detail")}}};
  table.narrowed({3, 2});
  for (const auto& row : support) {
    const auto* level = find_figure(row, "level");
    const auto* detail = find_figure(row, "detail");
    table.row_with_tail({row.engine, level ? level->value : "", row.last_good_version, detail ? detail->value : ""});
  }
  return tr("engines\n") + table.text(screen, 2);
}

std::string rent_lines(const std::vector<RentOffer>& offers, SourceList& sources, const Screen& screen) {
  if (offers.empty()) return "";
  TextTable table{{{tr("provider")}, {tr("an hour"), Align::right}, {tr("terms")}, {tr("date")}, {tr("source")}}};
  table.narrowed({2, 0});
  for (const auto& offer : offers)
    table.row_with_tail({offer.provider, fmt::format("{:g} {}", offer.per_card_hour.amount, offer.per_card_hour.currency),
                         offer.terms, offer.date.empty() ? tr("undated") : offer.date, sources.numbers({offer.source})});
  return tr("rent\n") + table.text(screen, 2);
}

}  // namespace

std::string to_text(const CatalogEntryReport& report, const Screen& screen) {
  const auto& entry = report.entry;
  SourceList sources;
  auto text = fmt::format("{}  {}  ({}, {})\n", entry.id, tr(entry.name), report.family, entry.file);
  if (!entry.aliases.empty()) text += trf("  also called {}\n", fmt::join(entry.aliases, ", "));
  if (report.disputed) text += tr("  DISPUTED: sources contradict this entry; it is never recommended without saying so\n");
  if (entry.overlays > 0) text += trf("  changed {} time{} by files or --set\n", entry.overlays, entry.overlays == 1 ? "" : "s");
  text += field_lines(entry, sources, screen);
  if (!report.warnings.empty()) {
    TextTable table{{{tr("code")}, {tr("title")}}};
    for (const auto& warning : report.warnings) table.row({warning.code, tr(warning.title)});
    text += tr("warnings (rigplan explain CODE tells more)\n") + table.text(screen, 2);
  }
  if (!entry.notes.empty()) {
    text += tr("notes\n");
    for (const auto& note : entry.notes) text += "  " + tr(note) + "\n";
  }
  text += price_lines(report, sources, screen);
  text += support_lines(report.support, screen);
  text += rent_lines(report.rent, sources, screen);
  return text + sources.text();
}

std::string to_text(const WarningReport& report) {
  const auto& warning = report.warning;
  auto text = trf("{}: {}\n  {}\n  What to do: {}\n", warning.id, warning.title, warning.meaning, warning.check);
  if (!report.carried_by.empty()) text += trf("  Carried by: {}\n", fmt::join(report.carried_by, ", "));
  return text;
}

}  // namespace rigplan
