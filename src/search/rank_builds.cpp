// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/rank_builds.h"

#include <algorithm>
#include <cmath>

#include "rigplan/search/pareto.h"
#include "search/build_search.h"
#include "search/pareto_search.h"

namespace rigplan {
namespace {

/// How far a bound may lie above the value that it bounds, by rounding alone.
constexpr double rounding = 1e-9;

/// Whether the places are filled by builds that nothing with this bound or a worse one can push out. A build that only equals
/// the bound does not count: another one at the same price may be faster, and then it is beaten.
bool filled(const std::vector<Candidate>& looked_at, RankBy by, int places, double next_bound) {
  std::vector<const Candidate*> ahead;
  for (const auto& candidate : looked_at) {
    if (candidate.misfit != Misfit::none) continue;
    const auto value = rank_value(candidate, by);
    if (value && *value < next_bound - rounding * std::abs(next_bound)) ahead.push_back(&candidate);
  }
  if (static_cast<int>(ahead.size()) < places) return false;
  std::stable_sort(ahead.begin(), ahead.end(),
                   [&](const Candidate* a, const Candidate* b) { return *rank_value(*a, by) < *rank_value(*b, by); });
  const auto beaten = dominated(ahead);
  return std::count(beaten.begin(), beaten.end(), false) >= places;
}

/// When nothing is ranked, what comes nearest: the cheapest builds of the mildest reason.
std::vector<Bounded> nearest(const BuildSearch& search, std::vector<Bounded> ruled_out) {
  const auto reach = std::min<std::size_t>(ruled_out.size(), 32);
  const auto rank = [&](const Bounded& build) {
    const auto& bounds = search.bounds(build);
    return std::tuple{bounds.misfit(*build.choice), bounds.price(*build.choice), build.choice, build.question};
  };
  std::partial_sort(ruled_out.begin(), ruled_out.begin() + static_cast<std::ptrdiff_t>(reach), ruled_out.end(),
                    [&](const Bounded& a, const Bounded& b) { return rank(a) < rank(b); });
  ruled_out.resize(reach);
  return ruled_out;
}

/// Looks at the most promising builds until the places are filled, and returns the number of full looks.
int look_for_places(const BuildSearch& search, int places, std::span<const Bounded> builds, std::vector<Candidate>& looked_at) {
  std::size_t next = 0;
  while (next < builds.size()) {
    const auto some = builds.subspan(next, std::min(looks_at_once, builds.size() - next));
    search.look_at(some, looked_at);
    next += some.size();
    if (places > 0 && next < builds.size() && filled(looked_at, search.query().by, places, builds[next].bound)) break;
  }
  return static_cast<int>(next);
}

}  // namespace

Ranking rank_builds(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations,
                    std::span<const Query> questions, const SearchDepth& depth) {
  const BuildSearch search{catalog, model, calibrations, questions};
  const auto& query = search.query();
  std::vector<Bounded> ruled_out;  // millions of them may be, so that they are only listed where they are looked at
  auto order = search.builds(query.by, depth.rejected ? &ruled_out : nullptr);
  sort_by_bound(order);
  order.insert(order.end(), ruled_out.begin(), ruled_out.end());

  std::vector<Candidate> looked_at;
  const int places = depth.rejected ? 0 : depth.places;
  const int looks = depth.pareto.empty() || depth.rejected ? look_for_places(search, places, order, looked_at)
                                                           : look_for_front(search, depth.pareto, order, looked_at);
  auto only_counted = static_cast<std::size_t>(search.candidates()) - order.size();
  const auto is_out = [](const Candidate& candidate) { return candidate.misfit != Misfit::none; };
  if (!depth.rejected && std::all_of(looked_at.begin(), looked_at.end(), is_out)) {
    search.builds(query.by, &ruled_out);
    const auto some = nearest(search, std::move(ruled_out));
    search.look_at(some, looked_at);
    only_counted -= some.size();
  }

  auto ranking = rank(std::move(looked_at), query);
  ranking.candidates = search.candidates();
  ranking.looked_at = looks;
  ranking.ruled_out = static_cast<int>(only_counted);
  ranking.beyond = static_cast<int>(order.size()) - looks;
  ranking.cards_without_price = search.space().cards_without_price;
  ranking.cards_without_host = search.space().cards_without_host;
  ranking.pareto = depth.pareto;
  if (!depth.pareto.empty()) ranking.on_front = on_front(ranking.ranked, depth.pareto);
  return ranking;
}

Ranking rank_builds(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, const Query& query,
                    const SearchDepth& depth) {
  return rank_builds(catalog, model, calibrations, std::span{&query, 1}, depth);
}

}  // namespace rigplan
