// SPDX-License-Identifier: Apache-2.0
#include "wasm/what_if.h"

#include <algorithm>
#include <stdexcept>

#include "rigplan/search/limits.h"
#include "rigplan/search/rank.h"
#include "rigplan/search/software.h"

namespace rigplan {
namespace {

const JsonValue& member(const JsonValue& object, std::string_view key) {
  const auto* value = object.members() ? object.find(key) : nullptr;
  if (!value) throw std::runtime_error{"the ranking lacks " + std::string{key}};
  return *value;
}
std::optional<double> number_in(const JsonValue& object, std::string_view key) {
  const auto& value = member(object, key);
  if (const auto* integer = value.integer()) return static_cast<double>(*integer);
  if (const auto* real = value.real()) return *real;
  return std::nullopt;
}
double needed(const JsonValue& object, std::string_view key) {
  const auto number = number_in(object, key);
  if (!number) throw std::runtime_error{"the ranking does not state " + std::string{key}};
  return *number;
}
std::string text_in(const JsonValue& object, std::string_view key) {
  const auto* text = member(object, key).text();
  return text ? *text : std::string{};
}

template <class E, class All>
E named(const All& all, const std::string& name, E otherwise) {
  for (const auto one : all)
    if (to_text(one) == name) return one;
  return otherwise;
}

void read_limits(const JsonValue& query, Limits& limits) {
  if (const auto budget = number_in(query, "budget_yuan")) limits.budget = *budget * yuan;
  limits.max_cards = static_cast<int>(number_in(query, "max_cards").value_or(0));
  if (const auto watts = number_in(query, "max_watts")) limits.max_watts = *watts * watt;
  if (const auto rate = number_in(query, "min_tokens_per_s")) limits.min_tokens = *rate * token_per_s;
  limits.software = named(support_levels(), text_in(query, "software"), SupportLevel::ended);
  limits.max_circuits = static_cast<int>(number_in(query, "max_circuits").value_or(0));
  if (const auto context = number_in(query, "min_context_tokens")) limits.min_context = *context * token;
  const auto condition = text_in(query, "condition");
  if (!condition.empty()) limits.condition = condition == to_text(Condition::fresh) ? Condition::fresh : Condition::used;
  const auto* no_old = member(query, "no_old_prices").boolean();
  limits.no_old_prices = no_old && *no_old;
  constexpr Cooling coolings[] = {Cooling::passive, Cooling::blower, Cooling::open, Cooling::liquid, Cooling::unknown};
  for (const auto& cooling : *member(query, "cooling").elements())
    limits.coolings.push_back(named(coolings, *cooling.text(), Cooling::unknown));
}

}  // namespace

void RankingUnderChange::read_question(const JsonValue& query) {
  if (text_in(query, "method") != "inference") throw std::runtime_error{"the ranking is about training"};
  model_ = models_.find(text_in(query, "model"));
  if (!model_) throw std::runtime_error{"the model is not in the built-in catalog"};
  auto& job = query_.job;
  job.model = model_->id;
  job.weight_format = text_in(query, "quant");
  job.engine = text_in(query, "engine");
  job.context = needed(query, "context_tokens") * token;
  job.users = static_cast<int>(needed(query, "users"));
  job.prompt = needed(query, "prompt_tokens") * token;
  job.generate = needed(query, "generate_tokens") * token;
  job.key_format = job.value_format = text_in(query, "kv_format");
  job.micro_batch = static_cast<int>(needed(query, "micro_batch"));
  job.flash_attention = *member(query, "flash_attention").boolean();
  read_limits(query, query_.limits);
  auto& schedule = query_.schedule;
  schedule = default_schedule(catalog_);
  schedule.horizon = needed(query, "horizon_months") * month;
  schedule.loaded_hours_per_day = needed(query, "loaded_hours_per_day");
  schedule.idle_hours_per_day = needed(query, "idle_hours_per_day");
  schedule.tariff = needed(query, "tariff_yuan_per_kwh") * yuan_per_kWh;
  schedule.pue = needed(query, "pue");
  query_.machines = static_cast<int>(needed(query, "machines"));
  const auto names = rank_names();
  const auto by = std::find(names.begin(), names.end(), text_in(query, "by"));
  if (by == names.end()) throw std::runtime_error{"the ranking goes by an unknown measure"};
  query_.by = static_cast<RankBy>(by - names.begin());
}

void RankingUnderChange::find_builds(const JsonValue& rows) {
  for (const auto& row : *rows.elements()) {
    if (text_in(row, "quant") != query_.job.weight_format || text_in(row, "engine") != query_.job.engine)
      throw std::runtime_error{"the ranking is about several number formats or programs"};
    auto& patterns = query_.gpu_patterns;
    const auto gpu = text_in(row, "gpu");
    if (std::find(patterns.begin(), patterns.end(), gpu) == patterns.end()) patterns.push_back(gpu);
  }
  const auto space = make_space(catalog_, PriceBook{catalog_}, query_);
  for (const auto& row : *rows.elements()) {
    const auto gpu = text_in(row, "gpu"), host = text_in(row, "host"), attachment = text_in(row, "attachment"),
               bridge = text_in(row, "bridge"), network = text_in(row, "network");
    const auto machines = static_cast<int>(needed(row, "machines")), cards = static_cast<int>(needed(row, "cards"));
    const auto is_row = [&](const BuildChoice& choice) {
      return choice.gpu->id == gpu && choice.kit->id == host && (choice.split ? choice.split->id : "") == attachment &&
             (choice.bridge ? choice.bridge->id : "") == bridge && choice.machines == machines &&
             choice.cards * choice.machines == cards && (choice.network ? choice.network->nic->id : "") == network;
    };
    const auto choice = std::find_if(space.choices.begin(), space.choices.end(), is_row);
    auto build = choice == space.choices.end() ? std::nullopt : build_of(catalog_, *choice);
    if (!build) throw std::runtime_error{"the built-in catalog does not have " + text_in(row, "build")};
    builds_.push_back(std::move(*build));
  }
}

RankingUnderChange::RankingUnderChange(const JsonValue& ranking)
    : catalog_{read_catalog(built_in_catalog_files())}, calibrations_{built_in_calibrations()} {
  read_question(member(ranking, "query"));
  find_builds(member(ranking, "rows"));
}

JsonValue RankingUnderChange::cards() const {
  auto cards = JsonValue::array();
  for (const auto& id : query_.gpu_patterns)
    if (const auto price = catalog_.price(id))
      cards.push(JsonValue::object()
                     .set("gpu", id)
                     .set("name", catalog_.gpus.find(id)->name)
                     .set("price_yuan", price->range.likely.in(yuan)));
  return cards;
}

/// What --set gpus.ID.price="N yuan" does: one row in the place of all others.
void RankingUnderChange::set_price(const WhatIf& change) {
  const auto is_of = [](const std::string& item) { return [&item](const PriceRow& row) { return row.item == item; }; };
  if (!priced_gpu_.empty()) {
    std::erase_if(catalog_.prices, is_of(priced_gpu_));
    catalog_.prices.insert(catalog_.prices.end(), rows_.begin(), rows_.end());
    priced_gpu_.clear();
  }
  if (change.priced_gpu.empty()) return;
  const auto known = catalog_.price(change.priced_gpu);
  PriceRow stated;
  stated.item = priced_gpu_ = change.priced_gpu;
  stated.amount = {change.price_yuan, "CNY"};
  stated.condition = known ? known->condition : Condition::unknown;
  stated.date = catalog_.price_policy.as_of;
  stated.basis = PriceBasis::bought;
  rows_.clear();
  for (const auto& row : catalog_.prices)
    if (row.item == priced_gpu_) rows_.push_back(row);
  std::erase_if(catalog_.prices, is_of(priced_gpu_));
  catalog_.prices.push_back(std::move(stated));
}

JsonValue RankingUnderChange::rows(const WhatIf& change) {
  set_price(change);
  auto query = query_;
  if (change.context_tokens) query.job.context = *change.context_tokens * token;
  if (change.users) query.job.users = *change.users;
  if (change.tariff_yuan_per_kwh) query.schedule.tariff = *change.tariff_yuan_per_kwh * yuan_per_kWh;
  if (change.hours_per_day) {
    query.schedule.loaded_hours_per_day = *change.hours_per_day;
    query.schedule.idle_hours_per_day = std::min(query.schedule.idle_hours_per_day, 24 - *change.hours_per_day);
  }
  if (change.most_cards) query.limits.max_cards = *change.most_cards;

  const Evaluator evaluator{catalog_, *model_, calibrations_, query};
  struct Looked {
    std::size_t row;
    Candidate candidate;
    std::optional<double> value;
  };
  std::vector<Looked> all;
  for (std::size_t i = 0; i < builds_.size(); ++i) {
    auto candidate = evaluator.evaluate(builds_[i]);
    const auto value = candidate.misfit == Misfit::none ? rank_value(candidate, query.by) : std::nullopt;
    all.push_back({i, std::move(candidate), value});
  }
  std::stable_sort(all.begin(), all.end(), [](const Looked& a, const Looked& b) {
    return a.value.has_value() != b.value.has_value() ? a.value.has_value() : a.value && *a.value < *b.value;
  });
  auto rows = JsonValue::array();
  for (const auto& [row, candidate, value] : all) {
    const auto& inference = candidate.best.inference;
    const auto& merit = candidate.merit.per_usable_rate;
    rows.push(JsonValue::object()
                  .set("row", static_cast<int>(row))
                  .set("fits", value.has_value())
                  .set("reason", candidate.why_not)
                  .set("value", value ? JsonValue{*value} : JsonValue{})
                  .set("price_yuan", candidate.purchase.total.likely.in(yuan))
                  .set("tokens_per_s", inference ? JsonValue{inference->decode_per_user.likely.in(token_per_s)} : JsonValue{})
                  .set("yuan_per_usable_tflop", merit ? JsonValue{merit->likely.in(yuan_per_TFLOP_per_s)} : JsonValue{})
                  .set("cost_yuan", candidate.cost.total().likely.in(yuan)));
  }
  return JsonValue::object().set("rows", std::move(rows));
}

}  // namespace rigplan
