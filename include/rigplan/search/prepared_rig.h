// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rigplan/search/evaluator.h"

namespace rigplan {

/// What was worked out for a few numbers, so that points of a sweep that share them share the work. Forgets everything when it
/// is full, which bounds its memory and changes no answer.
template <class Value>
class PointMemo {
 public:
  using Key = std::array<double, 3>;

  template <class Make>
  const Value& at(const Key& key, const Make& make) {
    if (const auto found = values_.find(key); found != values_.end()) return found->second;
    if (values_.size() >= most_entries) values_.clear();
    return values_.emplace(key, make()).first->second;
  }
  void clear() { values_.clear(); }

 private:
  static constexpr std::size_t most_entries = 2048;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::size_t hash = 0;
      for (const double part : key) hash = hash * 0x9E3779B97F4A7C15u + std::hash<double>{}(part);
      return hash;
    }
  };
  std::unordered_map<Key, Value, Hash> values_;
};

/// One rig and one model, ready to be asked about many loads: context, users, prompt, generated tokens, limits, schedule and
/// prices may change from question to question, everything else is as it was prepared. Answers are those of
/// Evaluator::evaluate(build, true), without warnings, the lines of the bill and the other plans. For one thread.
class PreparedRig {
 public:
  /// The catalog, the model and the calibrations must outlive it. A build that cannot be made answers with its reason.
  PreparedRig(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, const Query& query,
              Build build);
  ~PreparedRig();
  PreparedRig(const PreparedRig&) = delete;
  PreparedRig& operator=(const PreparedRig&) = delete;

  /// The questions that follow are answered with other prices.
  /// @param key the same for the same prices: bills are kept by it
  void use_prices(std::int64_t key, const std::function<const PriceBook&()>& prices);

  /// @param query its job differs from the prepared one in context, users, prompt and generate at most
  /// @return valid until the next question
  const Candidate& at(const Query& query);

 private:
  struct Plan;
  struct Outcome;
  struct Bill;
  const std::vector<Plan*>& plans_for(int users);
  void use_bill(std::int64_t key, Rig rig, Purchase purchase, RigPower power);
  Outcome outcome_of(Plan& plan, const Job& job);
  void take(const Outcome& outcome);
  void answer_inference(const Query& query);
  void rebill(const Query& query);

  const Catalog& catalog_;
  const TransformerModel& model_;
  const Calibrations& calibrations_;
  Job job_;
  Build build_;
  Candidate candidate_;
  Misfit unbuildable_ = Misfit::none;
  std::string why_unbuildable_;
  RigGraph graph_;
  std::unique_ptr<PreparedMemory> memory_;
  std::vector<std::unique_ptr<Plan>> plans_;
  std::unordered_map<int, std::vector<Plan*>> plans_of_users_;
  std::unordered_map<std::int64_t, std::unique_ptr<Bill>> bills_;
  Bill* bill_ = nullptr;
};

}  // namespace rigplan
