// SPDX-License-Identifier: Apache-2.0
#include "search/build_search.h"

#include <algorithm>

#include "search/parallel.h"

namespace rigplan {

BuildSearch::BuildSearch(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations,
                         std::span<const Query> questions) {
  for (const auto& question : questions) evaluators_.emplace_back(catalog, model, calibrations, question);
  space_ = make_space(catalog, prices(), query());
  for (const auto& evaluator : evaluators_) bounds_.emplace_back(evaluator, space_);
}

std::vector<Bounded> BuildSearch::builds(RankBy by, std::vector<Bounded>* ruled_out, const PriceFactors& factors) const {
  std::vector<Bounded> all;
  for (std::uint32_t question = 0; question < bounds_.size(); ++question) {
    const auto& bounds = bounds_[question];
    for (const auto& choice : space_.choices)
      if (bounds.misfit(choice, factors) == Misfit::none)
        all.push_back({bounds.value(choice, by, factors), &choice, question});
      else if (ruled_out)
        ruled_out->push_back({0, &choice, question});
  }
  return all;
}

Candidate BuildSearch::look_at(const Bounded& build, bool keep_others) const {
  const auto& evaluator = evaluators_[build.question];
  Candidate candidate;
  if (const auto made = build_of(evaluator.catalog(), *build.choice))
    candidate = evaluator.evaluate(*made, keep_others);
  else
    candidate.misfit = Misfit::no_slots;
  return candidate;
}

void BuildSearch::look_at(std::span<const Bounded> some, std::vector<Candidate>& looked_at) const {
  std::vector<Candidate> results(some.size());
  for_each_in_parallel(some.size(), [&](std::size_t i) { results[i] = look_at(some[i]); });
  for (auto& result : results)
    if (result.misfit != Misfit::no_slots) looked_at.push_back(std::move(result));
}

void sort_by_bound(std::vector<Bounded>& builds) {
  std::stable_sort(builds.begin(), builds.end(), [](const Bounded& a, const Bounded& b) { return a.bound < b.bound; });
}

}  // namespace rigplan
