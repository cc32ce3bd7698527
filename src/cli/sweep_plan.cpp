// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "cli/models.h"
#include "rigplan/catalog/stated_price.h"
#include "rigplan/json/cursor.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

constexpr std::int64_t every_value = 10'000;

std::string scalar_value(Cursor at) {
  if (at.is_text()) return at.text();
  if (at.value().boolean() || at.value().integer() || at.value().real()) return to_json_text(at.value(), 0);
  at.fail("expected a text, a number, true or false");
}

SweepField field_at(Cursor at, const std::string& name) {
  try {
    return find_sweep_field(name);
  } catch (const UsageError& error) {
    at.fail(error.what());
  }
}

AxisValues read_axis_values(Cursor at, const std::string& field) {
  AxisValues values;
  const bool tokens = is_token_field(field);
  const auto add = [&](Cursor element) {
    if (const auto fault = values.add_element(scalar_value(element), tokens); !fault.empty()) element.fail(fault);
  };
  if (!at.is_array()) {
    add(at);
    return values;
  }
  for (const auto& element : at.elements()) add(element);
  if (values.size() == 0) at.fail("has no value");
  return values;
}

SweepAxis read_axis(Cursor at) {
  SweepAxis axis;
  for (const auto& [name, value] : at.members()) {
    field_at(value, name);
    axis.fields.push_back(name);
    axis.values.push_back(read_axis_values(value, name));
    if (axis.values.back().size() != axis.size())
      value.fail(fmt::format("has {} values; the field that it is linked with has {}", axis.values.back().size(), axis.size()));
  }
  if (axis.fields.empty()) at.fail("has no field");
  return axis;
}

/// A path in a file is meant from where the file lies.
std::string beside(const std::string& file, const std::string& path) {
  namespace fs = std::filesystem;
  if (file == "-" || path == "-" || fs::path{path}.is_absolute()) return path;
  return (fs::path{file}.parent_path() / path).string();
}

/// What a name stands for is looked up, so that a misspelt one is found before hours of computing.
std::string fault_of_name(const SweepField& field, const SweepInput& input, const Session& session) {
  const auto& catalog = session.catalog();
  const auto unknown = [](const std::string& what, const std::string& name, const std::vector<std::string>& names) {
    return fmt::format("no {} \"{}\"{}", what, name, did_you_mean(name, names));
  };
  try {
    if (field.name == "gpu" && !catalog.gpus.find(input.gpu)) return unknown("card", input.gpu, catalog.gpus.ids());
    if (field.name == "board" && !catalog.boards.find(input.board)) return unknown("board", input.board, catalog.boards.ids());
    if (field.name == "model") {
      auto job = input.job;
      model_of(session, job);
    }
    if (field.name == "rig") read_file(input.rig);
    if (field.name == "quant" || field.name == "engine" || field.name == "kv" || field.name == "tariff")
      unchecked_query_of(input.job, catalog);
    if (field.reach == FieldReach::price) {
      priced_item(input.prices.back(), catalog);
      stated_price(input.prices.back(), catalog);
    }
  } catch (const std::runtime_error& error) {  // of the command line or of data; both say what is wrong
    return error.what();
  }
  return "";
}

void check_axis(const SweepAxis& axis, const std::vector<SweepField>& fields, const SweepInput& base, const Session& session) {
  for (std::int64_t i = 0; i < axis.size(); i = i + 1 == every_value ? std::max(axis.size() - 1, i + 1) : i + 1) {
    auto input = base;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto text = axis.values[f].text(i);
      auto fault = set_sweep_field(fields[f], text, input);
      if (fault.empty()) fault = fault_of_name(fields[f], input, session);
      if (!fault.empty()) throw UsageError{fmt::format("axis {}: {}", fields[f].name, fault)};
    }
  }
}

}  // namespace

std::vector<std::string> SweepPlan::field_names() const {
  std::vector<std::string> names;
  for (const auto& axis : space.axes()) names.insert(names.end(), axis.fields.begin(), axis.fields.end());
  return names;
}

void read_sweep_file(const std::string& path, const std::set<std::string>& given, SweepInput& base,
                     std::vector<SweepAxis>& axes) {
  const auto file = JsonFile::parse(path, read_file(path), JsonComments::allowed);
  ObjectReader reader{Cursor{file}};
  const auto schema = reader.required("schema");
  if (schema.text() != "rigplan/sweep_plan/1")
    schema.fail(fmt::format("is \"{}\"; expected \"rigplan/sweep_plan/1\"", schema.text()));
  const auto rig = reader.optional("rig");
  if (rig && !given.contains("rig") && !given.contains("gpu")) base.rig = beside(path, rig->text());
  if (const auto settings = reader.optional("set"))
    for (const auto& [name, value] : settings->members()) {
      const auto field = field_at(value, name);
      if (given.contains(name == "cards" ? "count" : name)) continue;
      const auto fault = set_sweep_field(field, scalar_value(value), base);
      if (!fault.empty()) value.fail(fault);
    }
  if (const auto listed = reader.optional("axes"))
    for (const auto& axis : listed->elements()) axes.push_back(read_axis(axis));
  reader.finish();
}

SweepPlan make_sweep_plan(SweepInput base, std::vector<SweepAxis> axes, const Session& session) {
  SweepPlan plan;
  std::set<std::string> seen;
  for (const auto& axis : axes) {
    auto& fields = plan.fields.emplace_back();
    for (const auto& name : axis.fields) {
      fields.push_back(find_sweep_field(name));
      if (!seen.insert(name).second) throw UsageError{fmt::format("two axes run over {}", name)};
    }
  }
  // The first value of every axis, so that names on one axis are checked beside those of another.
  auto first = base;
  for (std::size_t a = 0; a < axes.size(); ++a)
    for (std::size_t f = 0; f < axes[a].fields.size(); ++f)
      if (const auto fault = set_sweep_field(plan.fields[a][f], axes[a].values[f].text(0), first); !fault.empty())
        throw UsageError{fmt::format("axis {}: {}", axes[a].fields[f], fault)};
  if (first.job.job.model.empty())
    throw UsageError{msg("sweep: there is no model; give --model, or \"model\" in the file or on an axis")};
  if (first.rig.empty() && first.gpu.empty())
    throw UsageError{msg("sweep: there is no rig; give --rig FILE or --gpu, or \"rig\" or \"gpu\" in the file or on an axis")};
  auto job = first.job;
  model_of(session, job);
  unchecked_query_of(job, session.catalog());
  for (std::size_t a = 0; a < axes.size(); ++a) check_axis(axes[a], plan.fields[a], first, session);
  plan.base = std::move(base);
  try {
    plan.space = SweepSpace{std::move(axes)};
  } catch (const std::overflow_error& error) {
    throw UsageError{fmt::format("sweep: the axes make {}", error.what())};
  }
  return plan;
}

}  // namespace rigplan
