// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/explain_terms.h"
#include "rigplan/economics/host_kit.h"
#include "rigplan/economics/resale.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

std::string yuan_text(const Range<Yuan>& range) {
  return fmt::format("{} yuan", format_range(map_range(range, [](Yuan v) { return v.in(yuan); })));
}

Term price_row_term(const PriceRow& row) {
  Term term;
  term.name = row.place.empty() ? msg("price") : row.place;
  term.value = fmt::format("{} {}", format_whole(row.amount.amount), row.amount.currency);
  term.kind = to_text(row.basis);
  term.sources = {{row.source.where, row.date.empty() ? msg("undated") : row.date}};
  return term;
}

Term line_term(const PurchaseLine& line, const Catalog& catalog) {
  Term term;
  term.name = line.name;
  if (!line.each) {
    term.value = msg("unknown, not counted");
    return term;
  }
  term.value = yuan_text(*line.total());
  if (line.count != 1) term.formula = fmt::format("{} × {}", format_number(line.count), yuan_text(*line.each));
  if (line.kind == BillKind::reserve) term.formula = msg("lifts supplies, cooling and cabling to their least share of the bill");
  if (line.stated) term.kind = msg("given");
  if (line.stated || line.item.empty()) return term;
  // Only the rows that decided: those of the same basis within the dates that the price names.
  for (const auto* row : catalog.price_rows(line.item)) {
    const bool dated = row->date >= line.oldest && row->date <= line.newest;
    if (row->basis == line.basis || dated) term.parts.push_back(price_row_term(*row));
  }
  return term;
}

Term energy_term(const Candidate& candidate, const Query& query, const Catalog& catalog) {
  const auto& schedule = query.schedule;
  Term term;
  term.name = msg("energy");
  term.value = yuan_text(candidate.cost.energy);
  term.formula = fmt::format("{} × {}", to_text(candidate.energy), to_text(schedule.tariff));
  Term loaded;
  loaded.name = msg("loaded, at the wall");
  loaded.value = to_text(candidate.loaded);
  loaded.formula = fmt::format("{:g} h a day; DC load over the supplies' efficiency{}", schedule.loaded_hours_per_day,
                               schedule.pue == 1 ? "" : fmt::format(" × PUE {:g}", schedule.pue));
  if (const auto* gpu = catalog.gpus.find(candidate.gpu))
    loaded.parts.push_back(figure_term(*gpu, "board_power", msg("board power")));
  const auto& defaults = planning_defaults(catalog);
  loaded.parts.push_back(
      figure_term(defaults, query.job.kind == JobKind::inference ? "decode_draw" : "training_draw", msg("share of board power")));
  for (const auto& node : candidate.rig.nodes)
    if (const auto* kit = host_kit_of(catalog, node.board)) {
      loaded.parts.push_back(figure_term(*kit, "busy_power", msg("draw")));
      break;
    }
  Term idle;
  idle.name = msg("idle, at the wall");
  idle.value = to_text(candidate.idle);
  idle.formula = fmt::format("{:g} h a day", schedule.idle_hours_per_day);
  term.parts = {std::move(loaded), std::move(idle)};
  if (const auto* tariff = catalog.tariffs.find(schedule.tariff_name); tariff && !schedule.tariff_name.empty())
    term.parts.push_back(figure_term(*tariff, "average", msg("price")));
  return term;
}

}  // namespace

Term explain_purchase(const Purchase& purchase, const Catalog& catalog) {
  Term term;
  term.name = msg("purchase");
  term.value = yuan_text(purchase.total);
  term.formula = purchase.unknown > 0 ? fmt::format("sum of the lines with a price; {} have none", purchase.unknown)
                                      : msg("sum of the lines");
  for (const auto& line : purchase.lines) term.parts.push_back(line_term(line, catalog));
  return term;
}

namespace {

/// What the curves leave of a price at the end: one term for each class of things that the bill holds.
std::vector<Term> shares_left(const Purchase& purchase, const Query& query, const Catalog& catalog) {
  const auto& defaults = planning_defaults(catalog);
  std::vector<Term> terms;
  std::set<std::string_view> shown;
  for (const auto& line : purchase.lines) {
    const auto part = resale_class(catalog, line);
    if (part.empty() || !line.total() || !shown.insert(part).second) continue;
    const bool has_curve = std::ranges::find(defaults.resale, part, &ResaleCurve::part) != defaults.resale.end();
    const auto* by_year = line.condition == Condition::fresh ? "loss_per_year_new" : "loss_per_year_used";
    auto term = figure_term(defaults, has_curve ? "resale" : by_year, "");
    const auto kept = resale_share(catalog, line, defaults, query.schedule.horizon);
    term.name = fmt::format("{} of {}", msg("share kept"), part);
    term.value = fmt::format("{:.0f} % [{:.0f}–{:.0f}]", 100 * kept.likely, 100 * kept.low, 100 * kept.high);
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace

Term explain_cost(const Candidate& candidate, const Query& query, const Catalog& catalog) {
  const auto& defaults = planning_defaults(catalog);
  Term term;
  term.name = fmt::format("cost over {} months", format_number(query.schedule.horizon.in(month)));
  term.value = yuan_text(candidate.cost.total());
  term.formula = msg("purchase - resale + energy + upkeep");
  term.parts.push_back(explain_purchase(candidate.purchase, catalog));
  Term resale;
  resale.name = msg("resale at the end");
  resale.value = yuan_text(candidate.cost.resale);
  resale.formula = msg("price of each line × the share that the curve of its class leaves by then");
  resale.parts = shares_left(candidate.purchase, query, catalog);
  term.parts.push_back(std::move(resale));
  term.parts.push_back(energy_term(candidate, query, catalog));
  Term upkeep;
  upkeep.name = msg("upkeep");
  upkeep.value = yuan_text(candidate.cost.upkeep);
  upkeep.formula = msg("share of the purchase a year");
  upkeep.parts = {figure_term(defaults, "upkeep_per_year", msg("upkeep"))};
  term.parts.push_back(std::move(upkeep));
  return term;
}

}  // namespace rigplan
