// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/training_search.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

#include "rigplan/estimate/memory/training_memory.h"
#include "search/parallel.h"
#include "search/training_fabric.h"

namespace rigplan {
namespace {

/// Plans of which neither is faster than the other by more than this share of a step are told apart by how simple they are.
constexpr double no_difference = 0.01;

/// A rig as a search sees it.
struct Ground {
  const Evaluator& evaluator;
  const RigGraph& graph;
  TrainingCard card;
  Bytes usable;  ///< of a card
  HostPath host;
  std::optional<Bytes> host_room;
  int cards_of_machine = 1;
};

Ground ground_of(const Evaluator& evaluator, const RigGraph& graph) {
  const auto& gpu = graph.gpu(0);
  const auto* architecture = evaluator.catalog().architectures.find(gpu.architecture);
  static const Architecture unknown;
  Ground ground{evaluator, graph, training_card(gpu, architecture ? *architecture : unknown), gpu.vram, {}, {}, 1};
  if (architecture) ground.usable -= architecture->driver_context;
  ground.host = host_path(graph, graph.cards());
  ground.host_room = host_room(graph.rig);
  ground.cards_of_machine = most_cards_of_machine(graph.rig);
  return ground;
}

/// What one choice comes to.
struct Outcome {
  std::size_t choice = 0;
  bool fits = false;
  Bytes peak;           ///< of the fullest card
  Bytes missing, host;  ///< as ShapeResult has them
  Seconds step;

  bool operator<(const Outcome& other) const {
    if (fits != other.fits) return fits;
    if (!fits) return std::tie(missing, choice) < std::tie(other.missing, other.choice);
    return std::tie(step, peak, choice) < std::tie(other.step, other.peak, other.choice);
  }
};

/// Tries the choices of one shape. For one thread.
class ShapeTrial {
 public:
  ShapeTrial(const Ground& ground, const TrainingShape& shape, const TrainingPins& pins)
      : ground_{ground}, shape_{shape}, job_{ground.evaluator.query().job}, stack_{ground.evaluator.training_stack()} {
    const int per_machine = ground.graph.nodes() > 1 ? ground.cards_of_machine : 0;
    choices_ = training_choices(ground.evaluator.model(), job_, shape, pins, ground.host_room.has_value(), per_machine);
  }

  ShapeResult best() {
    ShapeResult found;
    found.shape = shape_;
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      outcomes.push_back(outcome_of(i));
      found.fit += outcomes.back().fits;
    }
    found.tried = static_cast<std::int64_t>(outcomes.size());
    if (outcomes.empty()) return found;
    const auto fastest = *std::min_element(outcomes.begin(), outcomes.end());
    const auto best = *std::min_element(outcomes.begin(), outcomes.end(), [&](const Outcome& a, const Outcome& b) {
      if (as_good(a, fastest) != as_good(b, fastest)) return as_good(a, fastest);
      return as_good(a, fastest) && simplicity(a) != simplicity(b) ? simplicity(a) < simplicity(b) : a < b;
    });
    found.choice = choices_[best.choice];
    found.fits = best.fits, found.step = best.step, found.missing = best.missing, found.host = best.host;
    return found;
  }

 private:
  static bool as_good(const Outcome& outcome, const Outcome& fastest) {
    return fastest.fits && outcome.fits && outcome.step <= (1 + no_difference) * fastest.step;
  }
  /// What has to be set up, run and trusted: less is better.
  std::array<int, 4> simplicity(const Outcome& outcome) const {
    const auto& choice = choices_[outcome.choice];
    return {static_cast<int>(choice.offload), choice.plan.interleave, choice.plan.sharding, choice.plan.sequence_parallel};
  }

  Outcome outcome_of(std::size_t index) {
    const auto& [plan, micro, checkpointing, offload] = choices_[index];
    job_.micro_sequences = micro, job_.checkpointing = checkpointing, job_.offload = offload;
    const auto& model = ground_.evaluator.model();
    const auto memory = estimate_training_memory(model, job_, plan, stack_);
    Outcome outcome{index, false, memory.peak, memory.peak - ground_.usable, ground_.cards_of_machine * memory.host, {}};
    if (ground_.host_room) outcome.missing = std::max(outcome.missing, outcome.host - *ground_.host_room);
    outcome.fits = outcome.missing <= Bytes{};
    if (outcome.fits)
      outcome.step = simulate_training(model, job_, plan, stack_, ground_.card, fabric_of(plan), constants_of(plan)).step;
    return outcome;
  }

  /// Links depend on the degrees, which all choices share, and on how many copies share a sharded one.
  const TrainingFabric& fabric_of(const ParallelPlan& plan) {
    auto& fabric = plan.shard_cards > 0 ? local_ : fabric_;
    if (!fabric) {
      auto sharded = plan;
      sharded.sharding = std::max(1, plan.sharding);
      fabric =
          training_fabric(ground_.graph, sharded, PeerAssumption::unknown_is_no, ground_.evaluator.calibrations().collectives);
      fabric->host = ground_.host;
    }
    return *fabric;
  }

  /// Constants depend on the choice through full checkpointing and the stage of sharding alone.
  const TrainingConstants& constants_of(const ParallelPlan& plan) {
    auto& known = constants_[job_.checkpointing == Checkpointing::full][static_cast<std::size_t>(plan.sharding)];
    if (!known) {
      const auto levels = training_levels(ground_.card, stack_, job_, plan, sharing_link(plan, fabric_of(plan)));
      known = training_constants(ground_.evaluator.calibrations().training, levels, stack_);
    }
    return *known;
  }

  const Ground& ground_;
  TrainingShape shape_;
  Job job_;
  const TrainingStack& stack_;
  std::vector<TrainingChoice> choices_;
  std::optional<TrainingFabric> fabric_, local_;
  std::array<std::array<std::optional<TrainingConstants>, 4>, 2> constants_;
};

/// The choice once more, as an estimate of the rig would tell it.
void look_closely(ShapeResult& found, const Ground& ground) {
  const auto& evaluator = ground.evaluator;
  const auto job = with_choice(evaluator.query().job, found.choice);
  const auto look = [&](PeerAssumption assumption) {
    return evaluator.evaluate_training(ground.graph, found.choice.plan, job, assumption);
  };
  found.result = look(PeerAssumption::unknown_is_no);
  if (found.fits && found.result->peer == PeerOverPcie::unknown) found.with_peer = look(PeerAssumption::unknown_is_yes);
}

bool comes_before(const ShapeResult& a, const ShapeResult& b) {
  if (a.fits != b.fits) return a.fits;
  return a.fits ? a.step < b.step : a.missing < b.missing;
}

}  // namespace

TrainingSearch search_training(const Evaluator& evaluator, const RigGraph& graph, const TrainingPins& pins, int looks) {
  if (evaluator.query().job.kind == JobKind::inference) throw std::logic_error("search_training: the job does not train");
  const auto ground = ground_of(evaluator, graph);
  TrainingSearch search;
  search.host_memory_known = ground.host_room.has_value();
  const auto shapes = training_shapes(evaluator.model(), evaluator.query().job, graph.cards(), pins);
  std::vector<ShapeResult> found(shapes.size());
  for_each_in_parallel(shapes.size(), [&](std::size_t i) { found[i] = ShapeTrial{ground, shapes[i], pins}.best(); });
  for (auto& result : found) {
    search.tried += result.tried;
    search.fit += result.fit;
    if (result.tried > 0) search.shapes.push_back(std::move(result));
  }
  std::stable_sort(search.shapes.begin(), search.shapes.end(), comes_before);
  const auto looked_at = looks > 0 ? std::min(search.shapes.size(), static_cast<std::size_t>(looks)) : search.shapes.size();
  for (std::size_t i = 0; i < looked_at; ++i) look_closely(search.shapes[i], ground);
  return search;
}

}  // namespace rigplan
