// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/catalog/training_stack.h"
#include "rigplan/economics/price_book.h"
#include "rigplan/estimate/memory/memory.h"
#include "rigplan/search/candidate.h"
#include "rigplan/search/query.h"
#include "rigplan/topology/graph.h"
#include "rigplan/topology/peer.h"

namespace rigplan {

/// The fitted constants of all formulas.
struct Calibrations {
  Calibration speed, collectives, training;
};
/// Those compiled into the program.
Calibrations built_in_calibrations();

/// A rig to be looked at, and what it is called.
struct Build {
  Rig rig;
  std::string host;        ///< id of the host kit or board
  std::string attachment;  ///< id of the part that splits slots; empty: none
};

/// One card of a copy, and the power its owner allows it.
struct CopyCard {
  const Gpu* gpu = nullptr;
  std::optional<Watts> power_cap;
};

/// Answers one question for any number of builds. What depends on the question alone is prepared once.
class Evaluator {
 public:
  /// The catalog, the model and the calibrations must outlive it.
  Evaluator(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, Query query);

  /// Everything about one build under its best plan. A build on which the job cannot run comes back with its reason.
  /// @param keep_others the other plans' results too
  Candidate evaluate(const Build& build, bool keep_others = false) const;
  /// One plan alone, peer access taken as given.
  PlanResult evaluate_plan(const RigGraph& graph, const ParallelPlan& plan, PeerAssumption assumption) const;

  /// One way to train: `job` is the query's but for what belongs to the plan (micro-batch, checkpointing, offload).
  PlanResult evaluate_training(const RigGraph& graph, const ParallelPlan& plan, const Job& job, PeerAssumption assumption) const;

  /// Every plan of `count` cards of one kind on the best links that a host, or a bridge between them, can give them.
  std::vector<PlanResult> on_best_links(const Gpu& gpu, int count, bool bridged = false) const;

  /// The longest context for the job's users and the most users with the job's context; untouched in training.
  void room(const RigGraph& graph, const ParallelPlan& plan, Tokens& largest_context, int& most_users) const;

  const Query& query() const { return query_; }
  const Catalog& catalog() const { return catalog_; }
  const TransformerModel& model() const { return model_; }
  const PriceBook& prices() const { return prices_; }
  const Calibrations& calibrations() const { return calibrations_; }
  const TrainingStack& training_stack() const { return stack_.value(); }

 private:
  PlanResult inference(const RigGraph& graph, const ParallelPlan& plan, PeerAssumption assumption) const;
  /// The memory of a plan, then its speed; `fabric` is asked only when it fits.
  PlanResult inference_on(const ParallelPlan& plan, std::span<const CopyCard> cards,
                          const std::function<GroupFabric()>& fabric) const;
  PlanResult training_on(const ParallelPlan& plan, const Job& job, const Gpu& gpu,
                         const std::function<TrainingFabric()>& fabric) const;
  std::vector<ParallelPlan> plans(int cards) const;
  std::vector<PlanResult> try_plans(const RigGraph& graph) const;
  /// The best of these plans, what runs and costs under it, and its warnings.
  void choose_plan(Candidate& candidate, const RigGraph& graph, std::vector<PlanResult> results, bool keep_others) const;

  const Catalog& catalog_;
  const TransformerModel& model_;
  const Calibrations& calibrations_;
  Query query_;
  PriceBook prices_;
  const PlanningDefaults& defaults_;
  const Engine* engine_ = nullptr;
  std::optional<PreparedMemory> memory_;  ///< inference
  std::optional<TrainingStack> stack_;    ///< training
};

/// The first `plan.cards` cards, which stand for every copy of the plan.
std::vector<int> cards_of_copy(const RigGraph& graph, const ParallelPlan& plan);
/// The worst verdict between any two of these cards; yes for one card.
PeerOverPcie worst_peer(const RigGraph& graph, const std::vector<int>& cards);

}  // namespace rigplan
