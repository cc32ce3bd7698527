// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/search/evaluator.h"
#include "rigplan/search/limits.h"

namespace rigplan {

/// "4x mi50-32gb on x99": a number of cards, an id, name or pattern of cards, one of a board or host kit. Number and board may
/// be left out.
struct BuildPattern {
  int cards = 0;  ///< 0: any number
  std::string gpu, host;
};
BuildPattern parse_build_pattern(const std::string& text);

/// Where the best build of a description stands, or why it does not.
struct WhyNot {
  enum class Verdict { first, ranked, out, unknown_card, unknown_host, no_price, no_room };
  Verdict verdict{};
  std::string reason;              ///< where no build was found: what is missing
  std::optional<Candidate> build;  ///< the best of the description: of those that keep every limit, else the least over one
  std::vector<BrokenLimit> broken;
  int place = 0;                    ///< in the ranking; 0: not ranked
  bool place_is_least = false;      ///< the search for builds before it ended at most_looks
  std::optional<Candidate> leader;  ///< the first of the ranking
};
/// As a program reads it: "first", "ranked", ...
std::string_view to_text(WhyNot::Verdict verdict);

/// Full looks that the search for a place makes at most.
inline constexpr int most_looks = 8192;

/// @param query one number format and one engine
WhyNot why_not(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, const Query& query,
               const BuildPattern& pattern);

}  // namespace rigplan
