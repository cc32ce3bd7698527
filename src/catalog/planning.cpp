// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/planning.h"

#include "catalog/entry_reader.h"
#include "catalog/readers.h"
#include "catalog/shelf_reader.h"

namespace rigplan {
namespace {

/// {"low": 0.1, "likely": 0.2, "high": 0.3}
Range<double> read_range_within(Cursor at, double greatest) {
  ObjectReader range{at};
  const Range<double> read{range.required("low").number_within(0, greatest), range.required("likely").number_within(0, greatest),
                           range.required("high").number_within(0, greatest)};
  range.finish();
  if (!(read.low <= read.likely && read.likely <= read.high)) at.fail("low, likely and high must not fall");
  return read;
}

void read_shares(EntryReader& reader, std::string_view field, Range<double>& target, double greatest = 1) {
  if (const auto at = reader.optional(field)) target = read_range_within(*at, greatest);
}

/// [{"part": "used-card", "points": [{"age": "12 mo", "kept": {"low": .., "likely": .., "high": ..}}, ...]}, ...]
void read_resale(EntryReader& reader, std::vector<ResaleCurve>& curves) {
  const auto list = reader.optional("resale");
  if (!list) return;
  curves.clear();
  for (const auto& at : list->elements()) {
    ObjectReader object{at};
    ResaleCurve curve{.part = object.required("part").text(), .points = {}};
    for (const auto& point_at : object.required("points").elements()) {
      ObjectReader point{point_at};
      const auto age = read_within(point.required("age"), 1 * day, 240 * month);
      if (!curve.points.empty() && age <= curve.points.back().age) point_at.fail("has an age that does not rise");
      curve.points.push_back({age, read_range_within(point.required("kept"), 1)});
      point.finish();
    }
    object.finish();
    if (curve.points.empty()) at.fail("has no point; expected at least one");
    curves.push_back(std::move(curve));
  }
}

/// {"supported": 2, "community": 4, "ended": 8, "rented": 1}: hours a month
void read_upkeep_hours(EntryReader& reader, UpkeepHours& hours) {
  const auto at = reader.optional("labour_hours_per_month");
  if (!at) return;
  ObjectReader object{*at};
  hours = {object.required("supported").number_within(0, 744), object.required("community").number_within(0, 744),
           object.required("ended").number_within(0, 744), object.required("rented").number_within(0, 744)};
  object.finish();
}

void read_planning_fields(EntryReader& reader, PlanningDefaults& planning) {
  reader.required("horizon", planning.horizon, 1 * day, 240 * month);
  reader.optional("loaded_hours_per_day", planning.loaded_hours_per_day, 0, 24);
  reader.optional("idle_hours_per_day", planning.idle_hours_per_day, 0, 24);
  reader.required("tariff", planning.tariff);
  reader.required("circuit", planning.circuit);
  reader.optional("pue", planning.pue, 1, 4);
  reader.optional("power_share", planning.power_share, 0, 0.9);
  reader.optional("spare_share", planning.spare_share, 0, 1);
  reader.optional("psu_margin", planning.psu_margin, 0, 0.9);
  reader.optional("upkeep_per_year", planning.upkeep_per_year, 0, 1);
  reader.optional("passive_cooler", planning.passive_cooler);
  read_shares(reader, "loss_per_year_used", planning.loss_per_year_used);
  read_shares(reader, "loss_per_year_new", planning.loss_per_year_new);
  read_resale(reader, planning.resale);
  read_shares(reader, "failures_per_year_used", planning.failures_per_year_used);
  read_shares(reader, "failures_per_year_new", planning.failures_per_year_new);
  read_shares(reader, "discount_per_year", planning.discount_per_year);
  read_upkeep_hours(reader, planning.labour);
  if (const auto price = reader.optional("labour_price"))
    planning.labour_price = read_within(*price, YuanPerSecond{}, 1e5 * yuan_per_hour);
  read_shares(reader, "tariff_spread", planning.tariff_spread, 10);
  read_shares(reader, "rent_spread", planning.rent_spread, 10);
  read_shares(reader, "hours_spread", planning.hours_spread, 10);
  read_shares(reader, "labour_spread", planning.labour_spread, 10);
  reader.optional("idle_draw", planning.idle_draw, 0, 1);
  reader.optional("waiting_draw", planning.waiting_draw, 0, 1);
  reader.optional("decode_draw", planning.decode_draw, 0, 1.5);
  reader.optional("prefill_draw", planning.prefill_draw, 0, 1.5);
  reader.optional("training_draw", planning.training_draw, 0, 1.5);
}

}  // namespace

void read_planning(const JsonFile& file, ObjectReader& head, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, head.required("planning"), sources, catalog.planning.entries, read_planning_fields);
}

}  // namespace rigplan
