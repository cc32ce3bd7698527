// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "rigplan/search/candidate.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// What a build reaches in several measures, smaller is better in each: rates and memory stand as their negatives.
using MeasureValues = std::vector<double>;

/// The values of a candidate; empty when it lacks one of them.
MeasureValues measure_values(const Candidate& candidate, std::span<const RankBy> measures);

/// Whether `a` is no worse than `b` in every measure and better in one.
bool beats(const MeasureValues& a, const MeasureValues& b);

/// Of ranked candidates: those that no other one beats. Candidates that are equal in every measure stand side by side.
std::vector<bool> on_front(std::span<const Candidate> ranked, std::span<const RankBy> measures);

}  // namespace rigplan
