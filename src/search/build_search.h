// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "rigplan/search/bounds.h"
#include "rigplan/search/rank.h"

namespace rigplan {

/// A build under one of the questions, and a value that it cannot beat.
struct Bounded {
  double bound = 0;
  const BuildChoice* choice = nullptr;
  std::uint32_t question = 0;
};

/// The builds of a space with their bounds, asked one or several questions that differ in number format and engine alone.
class BuildSearch {
 public:
  /// Catalog, model and calibrations must outlive it.
  BuildSearch(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations,
              std::span<const Query> questions);
  BuildSearch(const BuildSearch&) = delete;
  BuildSearch& operator=(const BuildSearch&) = delete;

  const Space& space() const { return space_; }
  const Query& query() const { return evaluators_.front().query(); }
  const PriceBook& prices() const { return evaluators_.front().prices(); }
  int candidates() const { return static_cast<int>(space_.choices.size() * bounds_.size()); }
  const Bounds& bounds(const Bounded& build) const { return bounds_[build.question]; }
  void use_schedule(const WorkSchedule& schedule) {
    for (auto& bounds : bounds_) bounds.use_schedule(schedule);
  }

  /// Every build that no limit rules out by its bound, with its bound of a measure; the others go to `ruled_out`.
  std::vector<Bounded> builds(RankBy by, std::vector<Bounded>* ruled_out = nullptr, const PriceFactors& factors = {}) const;
  /// Full looks on every processor, in the order given. A build that cannot be put together is left out.
  void look_at(std::span<const Bounded> some, std::vector<Candidate>& looked_at) const;
  /// One full look; misfit no_slots where the build cannot be put together.
  Candidate look_at(const Bounded& build, bool keep_others = false) const;

 private:
  std::deque<Evaluator> evaluators_;  ///< by question
  Space space_;
  std::deque<Bounds> bounds_;
};

/// Builds that are looked at between two questions whether that is enough. Fixed, so that the answer does not depend on the
/// number of processors.
inline constexpr std::size_t looks_at_once = 128;

/// Best bound first; equal ones in the order of the space.
void sort_by_bound(std::vector<Bounded>& builds);

}  // namespace rigplan
