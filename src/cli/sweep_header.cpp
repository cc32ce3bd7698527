// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "cli/version.h"
#include "rigplan/json/embedded_data.h"
#include "rigplan/report/json_values.h"
#include "rigplan/report/question.h"
#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {
namespace {

/// FNV-1a of 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv): tells data apart, guards against nothing.
class Fingerprint {
 public:
  void add(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    hash_ = (hash_ ^ 0xFF) * 0x100000001B3u;  // "ab", "c" is not "a", "bc"
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325u;
};

std::string data_fingerprint(const SweepWorld& world, const SweepInput& first) {
  Fingerprint print;
  for (const auto& file : embedded_files()) print.add(file.text);
  for (const auto& file : world.session().overlay_files()) print.add(file.text);
  const auto& options = world.session().options();
  for (const auto& text : options.overrides) print.add(text);
  for (const auto& text : options.exchange) print.add(text);
  print.add(options.as_of);
  print.add(options.max_price_age_days ? std::to_string(*options.max_price_age_days) : "");
  std::vector<std::string> rigs;
  if (!first.rig.empty()) rigs.push_back(first.rig);
  for (const auto& axis : world.plan().space.axes())
    for (std::size_t f = 0; f < axis.fields.size(); ++f)
      if (axis.fields[f] == "rig")
        for (std::int64_t i = 0; i < axis.size(); ++i) rigs.push_back(axis.values[f].text(i));
  for (const auto& rig : rigs) print.add(world.rig_text(rig));
  return print.text();
}

SweepInput first_input(const SweepPlan& plan) {
  auto input = plan.base;
  for (std::size_t a = 0; a < plan.fields.size(); ++a)
    for (std::size_t f = 0; f < plan.fields[a].size(); ++f)
      set_sweep_field(plan.fields[a][f], plan.space.axes()[a].values[f].text(0), input);
  return input;
}

JsonValue axis_json(const SweepAxis& axis) {
  Fingerprint values;
  for (const auto& of_field : axis.values)
    for (std::int64_t i = 0; i < axis.size(); i = i + 1 == 10'000 ? std::max(axis.size() - 1, i + 1) : i + 1)
      values.add(of_field.text(i));
  auto first = JsonValue::array(), last = JsonValue::array();
  for (const auto& of_field : axis.values) {
    first.push(of_field.text(0));
    last.push(of_field.text(axis.size() - 1));
  }
  auto json = JsonValue::object();
  json.set("fields", texts_json(axis.fields)).set("size", axis.size());
  return json.set("first", std::move(first)).set("last", std::move(last)).set("values", values.text());
}

JsonValue rig_json(const SweepInput& input) {
  auto json = JsonValue::object();
  if (!input.rig.empty()) return json.set("file", input.rig);
  return json.set("gpu", input.gpu).set("cards", input.cards).set("board", text_or_null(input.board));
}

}  // namespace

JsonValue sweep_header(const SweepWorld& world, const std::string& shard) {
  const auto& plan = world.plan();
  auto input = first_input(plan);
  const auto& model = world.model(input.job);
  const auto query = unchecked_query_of(input.job, world.session().catalog());
  auto changes = JsonValue::array();
  for (const auto& [pointer, value] : plan.base.rig_changes) changes.push(pointer + "=" + value);
  for (const auto* list : {&plan.base.catalog_changes, &plan.base.prices})
    for (const auto& change : *list) changes.push(change.path + "=" + change.value);
  auto axes = JsonValue::array();
  for (const auto& axis : plan.space.axes()) axes.push(axis_json(axis));
  auto header = JsonValue::object();
  header.set("schema", "rigplan/sweep/1").set("query", question_json(query, model));
  header.set("rig", rig_json(input)).set("changes", std::move(changes)).set("axes", std::move(axes));
  header.set("points", plan.space.points()).set("shard", text_or_null(shard));
  return header.set("data", data_fingerprint(world, input)).set("program", version);
}

std::string sweep_question(const SweepWorld& world) {
  const auto& plan = world.plan();
  auto input = first_input(plan);
  const auto& model = world.model(input.job);
  auto text = question_text(unchecked_query_of(input.job, world.session().catalog()), model);
  if (plan.fields.empty()) return text;
  return trf("{}\n{} points over {}", text, format_whole(static_cast<double>(plan.space.points())),
             fmt::join(plan.field_names(), " × "));
}

}  // namespace rigplan
