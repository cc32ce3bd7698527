// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/rank_builds.h"

#include <algorithm>

#include "rigplan/search/bounds.h"
#include "rigplan/search/space.h"
#include "search/parallel.h"

namespace rigplan {
namespace {

/// Builds that are looked at between two questions whether that is enough. Fixed, so that the answer does not depend on the
/// number of processors.
constexpr std::size_t batch = 128;

struct Bounded {
  double bound = 0;
  const BuildChoice* choice = nullptr;
};

/// The choices that no limit rules out, the most promising first.
std::vector<Bounded> in_order(const std::vector<BuildChoice>& choices, const Bounds& bounds,
                              std::vector<const BuildChoice*>& ruled_out) {
  std::vector<Bounded> order;
  for (const auto& choice : choices)
    if (bounds.misfit(choice) == Misfit::none)
      order.push_back({bounds.value(choice), &choice});
    else
      ruled_out.push_back(&choice);
  std::stable_sort(order.begin(), order.end(), [](const Bounded& a, const Bounded& b) { return a.bound < b.bound; });
  return order;
}

void evaluate_batch(const Evaluator& evaluator, std::span<const Bounded> some, std::vector<Candidate>& looked_at) {
  std::vector<Candidate> results(some.size());
  for_each_in_parallel(some.size(), [&](std::size_t i) {
    if (const auto build = build_of(evaluator.catalog(), *some[i].choice))
      results[i] = evaluator.evaluate(*build);
    else
      results[i].misfit = Misfit::no_slots;
  });
  for (auto& result : results)
    if (result.misfit != Misfit::no_slots) looked_at.push_back(std::move(result));
}

/// Whether the places are filled by builds that nothing with this bound or a worse one can push out.
bool filled(const std::vector<Candidate>& looked_at, RankBy by, int places, double next_bound) {
  std::vector<const Candidate*> ahead;
  for (const auto& candidate : looked_at) {
    if (candidate.misfit != Misfit::none) continue;
    const auto value = rank_value(candidate, by);
    if (value && *value <= next_bound) ahead.push_back(&candidate);
  }
  if (static_cast<int>(ahead.size()) < places) return false;
  const auto beaten = dominated(ahead);
  return std::count(beaten.begin(), beaten.end(), false) >= places;
}

/// When nothing is ranked, what comes nearest: the cheapest builds of the mildest reason.
std::vector<Bounded> nearest(std::vector<const BuildChoice*> ruled_out, const Bounds& bounds) {
  const auto reach = std::min<std::size_t>(ruled_out.size(), 32);
  std::partial_sort(ruled_out.begin(), ruled_out.begin() + static_cast<std::ptrdiff_t>(reach), ruled_out.end(),
                    [&](const BuildChoice* a, const BuildChoice* b) {
                      const auto reason_a = bounds.misfit(*a), reason_b = bounds.misfit(*b);
                      if (reason_a != reason_b) return reason_a < reason_b;
                      return std::pair{bounds.price(*a), a} < std::pair{bounds.price(*b), b};
                    });
  std::vector<Bounded> some;
  for (std::size_t i = 0; i < reach; ++i) some.push_back({0, ruled_out[i]});
  return some;
}

}  // namespace

Ranking rank_builds(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, Query query,
                    const SearchDepth& depth) {
  const Evaluator evaluator{catalog, model, calibrations, query};
  const auto space = make_space(catalog, evaluator.prices(), query);
  const Bounds bounds{evaluator, space.choices};
  std::vector<const BuildChoice*> ruled_out;
  auto order = in_order(space.choices, bounds, ruled_out);
  if (depth.rejected) {
    for (const auto* choice : ruled_out) order.push_back({0, choice});
    ruled_out.clear();
  }

  std::vector<Candidate> looked_at;
  std::size_t next = 0;
  while (next < order.size()) {
    const auto some = std::span{order}.subspan(next, std::min(batch, order.size() - next));
    evaluate_batch(evaluator, some, looked_at);
    next += some.size();
    const bool searches = depth.places > 0 && !depth.rejected;
    if (searches && next < order.size() && filled(looked_at, query.by, depth.places, order[next].bound)) break;
  }
  auto only_counted = ruled_out.size();
  if (std::all_of(looked_at.begin(), looked_at.end(), [](const Candidate& c) { return c.misfit != Misfit::none; })) {
    const auto some = nearest(std::move(ruled_out), bounds);
    evaluate_batch(evaluator, some, looked_at);
    only_counted -= some.size();
  }

  auto ranking = rank(std::move(looked_at), std::move(query));
  ranking.candidates = static_cast<int>(space.choices.size());
  ranking.looked_at = static_cast<int>(next);
  ranking.ruled_out = static_cast<int>(only_counted);
  ranking.beyond = static_cast<int>(order.size() - next);
  ranking.cards_without_price = space.cards_without_price;
  ranking.cards_without_host = space.cards_without_host;
  return ranking;
}

}  // namespace rigplan
