// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/rank_builds.h"

#include "rigplan/search/space.h"

namespace rigplan {

Ranking rank_builds(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, Query query) {
  const Evaluator evaluator{catalog, model, calibrations, query};
  auto space = make_space(catalog, evaluator.prices(), query);
  std::vector<Candidate> candidates;
  candidates.reserve(space.builds.size());
  for (const auto& build : space.builds) {
    auto candidate = evaluator.evaluate(build);
    if (candidate.misfit != Misfit::no_slots) candidates.push_back(std::move(candidate));
  }
  auto ranking = rank(std::move(candidates), std::move(query));
  ranking.cards_without_price = std::move(space.cards_without_price);
  ranking.cards_without_host = std::move(space.cards_without_host);
  return ranking;
}

}  // namespace rigplan
