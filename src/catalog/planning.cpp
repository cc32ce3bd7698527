// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/planning.h"

#include "catalog/entry_reader.h"
#include "catalog/readers.h"
#include "catalog/shelf_reader.h"

namespace rigplan {
namespace {

/// {"low": 0.1, "likely": 0.2, "high": 0.3}
void read_shares(EntryReader& reader, std::string_view field, Range<double>& target) {
  const auto at = reader.optional(field);
  if (!at) return;
  ObjectReader range{*at};
  target = {range.required("low").number_within(0, 1), range.required("likely").number_within(0, 1),
            range.required("high").number_within(0, 1)};
  range.finish();
  if (!(target.low <= target.likely && target.likely <= target.high)) at->fail("low, likely and high must not fall");
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
