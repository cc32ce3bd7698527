// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/rank_builds.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "rigplan/search/space.h"

namespace rigplan {
namespace {

/// Builds do not depend on each other, so every processor takes the next one; results lie where their builds do.
std::vector<Candidate> evaluate_all(const Evaluator& evaluator, const std::vector<Build>& builds) {
  std::vector<Candidate> candidates(builds.size());
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (auto i = next++; i < builds.size(); i = next++) candidates[i] = evaluator.evaluate(builds[i]);
    } catch (...) {
      const std::lock_guard lock{guard};
      if (!failure) failure = std::current_exception();
      next = builds.size();
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < std::min(8U, std::thread::hardware_concurrency()); ++i) helpers.emplace_back(work);
  work();
  for (auto& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
  return candidates;
}

}  // namespace

Ranking rank_builds(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, Query query) {
  const Evaluator evaluator{catalog, model, calibrations, query};
  auto space = make_space(catalog, evaluator.prices(), query);
  auto candidates = evaluate_all(evaluator, space.builds);
  std::erase_if(candidates, [](const Candidate& candidate) { return candidate.misfit == Misfit::no_slots; });
  auto ranking = rank(std::move(candidates), std::move(query));
  ranking.cards_without_price = std::move(space.cards_without_price);
  ranking.cards_without_host = std::move(space.cards_without_host);
  return ranking;
}

}  // namespace rigplan
