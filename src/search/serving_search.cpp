// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/serving_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/search/plans.h"
#include "rigplan/units/message.h"
#include "search/card_facts.h"

namespace rigplan {
namespace {

/// Ids of the catalog, and what the calibration calls them.
constexpr std::pair<std::string_view, std::string_view> measured_engines[] = {
    {"vllm", "vllm"}, {"sglang", "sglang"}, {"tensorrt-llm", "trtllm"}};

std::string_view measured_name(std::string_view engine) {
  for (const auto& [id, name] : measured_engines)
    if (id == engine) return name;
  return engine;
}

std::vector<ParallelPlan> serving_plans(const TransformerModel& model, int cards) {
  std::vector<ParallelPlan> plans;
  for (int tensor = 1; tensor <= cards; ++tensor) {
    if (!divides(model, tensor)) continue;
    ParallelPlan plan;
    plan.split = tensor > 1 ? SplitMode::tensor : SplitMode::single;
    plan.cards = plan.tensor = tensor;
    plan.replicas = cards / tensor;
    plans.push_back(plan);
  }
  return plans;
}

void ask(ServingPlan& plan, const ServingSetup& setup, const Job& job, const ServingQuestion& question) {
  const auto at = [&](int users) { return serve_at(setup, job.prompt, job.generate, users); };
  plan.users = question.requests_per_second ? users_at_rate(setup, job.prompt, job.generate, *question.requests_per_second)
                                            : std::optional{job.users};
  if (plan.users) plan.point = at(*plan.users);
  plan.knee = knee(setup, job.prompt, job.generate);
  if (question.targets.per_token || question.targets.first_token)
    plan.largest_load = largest_load(setup, job.prompt, job.generate, question.targets);
  for (int users = 1; users <= 2 * plan.knee; users *= 2) plan.curve.push_back(at(users));
}

ServingPlan serving_plan(const Evaluator& evaluator, const RigGraph& graph, const Calibration& serving,
                         const ServingQuestion& question, const ParallelPlan& plan) {
  const auto& job = evaluator.query().job;
  const auto& gpu = graph.gpu(0);
  std::vector<int> cards(static_cast<std::size_t>(plan.tensor));
  std::iota(cards.begin(), cards.end(), 0);
  ServingPlan answer;
  answer.plan = plan;
  const auto fabric = plan.tensor > 1
                          ? prepare_fabric(graph, cards, PeerAssumption::unknown_is_no, evaluator.calibrations().collectives)
                          : GroupFabric{};
  const auto setup =
      prepare_serving(evaluator.model(), job, plan, capped_speed(gpu, graph.place(0).power_cap, evaluator.catalog()), fabric,
                      serving, measured_name(job.engine));
  answer.streams_held = streams_held(setup, job.prompt, job.generate);
  answer.fits = answer.streams_held >= 1;
  if (!answer.fits) {
    answer.shortfall = msg("the weights leave no room for one user");
    return answer;
  }
  if (!std::isfinite(iteration_time(setup, 1, 1).in(second))) {
    answer.fits = false;
    answer.shortfall = msg("the card has no rate for the format");
    return answer;
  }
  if (plan.tensor > 1) answer.peer = worst_peer(graph, cards);
  ask(answer, setup, job, question);
  return answer;
}

}  // namespace

std::vector<std::string_view> serving_engines() {
  std::vector<std::string_view> ids;
  for (const auto& [id, name] : measured_engines) ids.push_back(id);
  return ids;
}

std::vector<ServingPlan> search_serving(const Evaluator& evaluator, const RigGraph& graph, const Calibration& serving,
                                        const ServingQuestion& question) {
  std::vector<ServingPlan> answers;
  for (const auto& plan : serving_plans(evaluator.model(), graph.cards()))
    answers.push_back(serving_plan(evaluator, graph, serving, question, plan));
  const auto before = [&](const ServingPlan& a, const ServingPlan& b) {
    if (a.fits != b.fits) return a.fits;
    if (a.users.has_value() != b.users.has_value()) return a.users.has_value();
    if (!a.fits || !a.users) return a.plan.tensor > b.plan.tensor;
    const bool good = meets(a.point, question.targets), other = meets(b.point, question.targets);
    if (good != other) return good;
    if (a.point.generated != b.point.generated) return a.point.generated > b.point.generated;
    return a.point.per_token.likely < b.point.per_token.likely;
  };
  std::stable_sort(answers.begin(), answers.end(), before);
  return answers;
}

}  // namespace rigplan
