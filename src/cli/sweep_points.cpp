// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/models.h"
#include "rigplan/catalog/stated_price.h"
#include "rigplan/json/cursor.h"
#include "rigplan/json/data_error.h"
#include "rigplan/topology/rig_json.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

constexpr std::size_t most_prepared = 16;

JsonValue json_value_of(const std::string& text) {
  if (text == "true" || text == "false") return JsonValue{text == "true"};
  const auto integer = parse_integer(text, -1'000'000'000'000, 1'000'000'000'000);
  if (const auto* value = std::get_if<long long>(&integer)) return JsonValue{static_cast<std::int64_t>(*value)};
  const auto number = parse_number(text);
  if (const auto* value = std::get_if<double>(&number)) return JsonValue{*value};
  return JsonValue{text};
}

/// Sets the member or element that a pointer names. The last step may be a new member of an object.
void set_at_pointer(const JsonFile& file, JsonValue& root, const std::string& pointer, const std::string& value) {
  auto* at = &root;
  std::size_t begin = 1;
  for (;;) {
    const auto end = pointer.find('/', begin);
    const auto step = pointer.substr(begin, end == pointer.npos ? end : end - begin);
    const bool last = end == pointer.npos;
    if (auto* elements = at->elements()) {
      const auto index = parse_integer(step, 0, static_cast<long long>(elements->size()) - 1);
      const auto* place = std::get_if<long long>(&index);
      if (!place) throw DataError{{file.name(), 0, pointer}, fmt::format("has no element \"{}\"", step)};
      at = &(*elements)[static_cast<std::size_t>(*place)];
      if (last) *at = json_value_of(value);
    } else if (at->members()) {
      if (last)
        at->set(step, json_value_of(value));
      else if (auto* next = at->find(step))
        at = next;
      else
        throw DataError{{file.name(), 0, pointer}, fmt::format("has no member \"{}\"", step)};
    } else {
      throw DataError{{file.name(), 0, pointer}, fmt::format("\"{}\" stands in {}", step, at->kind())};
    }
    if (last) return;
    begin = end + 1;
  }
}

}  // namespace

SweepWorld::SweepWorld(const Session& session, const SweepPlan& plan)
    : session_{session}, plan_{plan}, calibrations_{built_in_calibrations()}, prices_{session.catalog()} {}

const TransformerModel& SweepWorld::model(JobOptions& options) const {
  const std::lock_guard lock{guard_};
  const auto key = fmt::format("{}\n{}\n{}", options.job.model, options.quant, options.method);
  auto known = models_.find(key);
  if (known == models_.end()) {
    auto job = options;
    auto model = model_of(session_, job);
    known = models_.emplace(key, KnownModel{std::move(model), job.quant}).first;
  }
  options.quant = known->second.quant;
  return known->second.model;
}

const std::string& SweepWorld::rig_text(const std::string& path) const {
  const std::lock_guard lock{guard_};
  const auto known = rig_texts_.find(path);
  return known != rig_texts_.end() ? known->second : rig_texts_.emplace(path, read_file(path)).first->second;
}

Rig rig_of_input(const SweepInput& input, const Catalog& catalog, const SweepWorld& world) {
  std::string name = input.rig, text;
  if (!name.empty()) {
    text = world.rig_text(name);
  } else {
    const auto* gpu = catalog.gpus.find(input.gpu);
    if (!gpu) throw UsageError{fmt::format("no card \"{}\"{}", input.gpu, did_you_mean(input.gpu, catalog.gpus.ids()))};
    const auto* board = input.board.empty() ? nullptr : catalog.boards.find(input.board);
    auto rig = rig_of(catalog, gpu->id, input.cards, board ? board->id : "");
    if (input.rig_changes.empty()) return rig;
    name = "rig";
    text = to_json_text(to_json(rig));
  }
  auto file = JsonFile::parse(name, text, JsonComments::allowed);
  for (const auto& [pointer, value] : input.rig_changes) set_at_pointer(file, file.root(), pointer, value);
  auto rig = read_rig(Cursor{file}, catalog);
  if (rig.name.empty()) rig.name = name;
  return rig;
}

/// A rig with its question, or why there is none.
struct SweepPoints::Prepared {
  std::unique_ptr<Catalog> own_catalog;  ///< where the catalog is changed
  const Catalog* catalog = nullptr;
  WorkSchedule schedule;
  Query query;
  std::unique_ptr<PriceBook> prices;  ///< changed in place when an axis runs over prices
  std::unique_ptr<PreparedRig> rig;
  std::string failure;
};

SweepPoints::SweepPoints(const SweepWorld& world)
    : world_{world}, input_{world.plan().base}, columns_{world.plan().field_names().size()} {}

SweepPoints::~SweepPoints() = default;

void SweepPoints::move_to(std::int64_t point, SweepRow& row) {
  const auto& plan = world_.plan();
  plan.space.coordinates(point, at_);
  row.point = point;
  row.axis_values.resize(columns_);
  rig_key_.clear();
  std::size_t column = 0;
  for (std::size_t a = 0; a < at_.size(); ++a) {
    const auto& axis = plan.space.axes()[a];
    const bool moved = before_.empty() || before_[a] != at_[a];
    bool makes_rig = false;
    for (std::size_t f = 0; f < axis.fields.size(); ++f, ++column) {
      const auto& field = plan.fields[a][f];
      makes_rig = makes_rig || field.reach == FieldReach::rig;
      if (!moved) continue;
      rig_moved_ = rig_moved_ || field.reach == FieldReach::rig;
      price_moved_ = price_moved_ || field.reach == FieldReach::price;
      row.axis_values[column] = axis.values[f].text(at_[a]);
      auto fault = set_sweep_field(field, row.axis_values[column], input_);
      if (!fault.empty()) fault_ = fmt::format("{}: {}", field.name, fault);
    }
    if (makes_rig) rig_key_.push_back(at_[a]);
  }
  before_ = at_;
}

std::unique_ptr<SweepPoints::Prepared> SweepPoints::prepare() const {
  auto made = std::make_unique<Prepared>();
  made->catalog = &world_.session().catalog();
  try {
    if (!input_.catalog_changes.empty()) {
      made->own_catalog = std::make_unique<Catalog>(world_.session().catalog_with(input_.catalog_changes));
      made->catalog = made->own_catalog.get();
    }
    auto job = input_.job;
    const auto& model = world_.model(job);
    made->schedule = default_schedule(*made->catalog);
    made->query = unchecked_query_of(job, *made->catalog);
    const auto rig = rig_of_input(input_, *made->catalog, world_);
    made->rig = std::make_unique<PreparedRig>(*made->catalog, model, world_.calibrations(), made->query,
                                              Build{rig, rig.nodes.front().board, ""});
  } catch (const UsageError& error) {
    made->failure = error.what();
  } catch (const DataError& error) {
    made->failure = error.what();
  } catch (const std::invalid_argument& error) {  // of formulas that cannot answer for this input
    made->failure = error.what();
  }
  return made;
}

SweepPoints::Prepared& SweepPoints::prepared() {
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const auto& entry) { return entry.first == rig_key_; });
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
  } else {
    kept_.emplace_front(rig_key_, prepare());
    if (kept_.size() > most_prepared) kept_.pop_back();
  }
  return *kept_.front().second;
}

void SweepPoints::use_prices(Prepared& prepared) {
  const auto& plan = world_.plan();
  std::int64_t key = 0;
  for (std::size_t a = 0; a < at_.size(); ++a)
    if (std::any_of(plan.fields[a].begin(), plan.fields[a].end(), [](const auto& f) { return f.reach == FieldReach::price; }))
      key = key * plan.space.axes()[a].size() + at_[a];
  prepared.rig->use_prices(key, [&]() -> const PriceBook& {
    if (!prepared.prices)
      prepared.prices = std::make_unique<PriceBook>(prepared.own_catalog ? PriceBook{*prepared.catalog} : world_.prices());
    for (const auto& change : input_.prices)
      prepared.prices->replace(priced_item(change, *prepared.catalog), stated_price(change, *prepared.catalog));
    return *prepared.prices;
  });
}

void SweepPoints::compute(std::int64_t point, SweepRow& row) {
  fault_.clear();
  move_to(point, row);
  if (!fault_.empty()) {
    fill_failed_row(fault_, row);
    before_.clear();  // the field keeps its old value, so nothing may be taken as set
    return;
  }
  const bool moved = rig_moved_ || kept_.empty();
  auto& rig = moved ? prepared() : *kept_.front().second;
  rig_moved_ = false;
  if (!rig.failure.empty()) return fill_failed_row(rig.failure, row);
  if ((moved || price_moved_) && !input_.prices.empty()) use_prices(rig);
  price_moved_ = false;
  try {
    if (const auto fault = set_loads(input_.job, *rig.catalog, rig.schedule, rig.query); !fault.empty())
      return fill_failed_row(fault, row);
    fill_sweep_row(rig.rig->at(rig.query), rig.query.job.kind, row);
  } catch (const UsageError& error) {
    fill_failed_row(error.what(), row);
  } catch (const std::invalid_argument& error) {
    fill_failed_row(error.what(), row);
  }
}

}  // namespace rigplan
