// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "rigplan/search/space.h"

namespace rigplan {

/// What a number of cards of one kind can do at best, whatever they are plugged into.
struct CardsBound {
  /// One plan that fits, on the best links that a host can give.
  struct Plan {
    FlopRate usable;
    TokenRate tokens, per_user, prefill;
    Watts loaded;  ///< of the cards
  };
  std::vector<Plan> plans;
  Misfit misfit = Misfit::none;  ///< why no host can help
  std::string why_not;
  Yuan price;  ///< of the cards
  Yuan kept;   ///< price that does not come back over the horizon, upkeep included
  Watts peak, idle;
  Bytes vram;
};

/// What a host costs and draws at least: supplies, cooling, adapters and reserve are left out.
struct HostBound {
  Yuan price, kept;
  Watts idle, busy;
};

/// Bounds of every build of a space: no build is better in any ranking than its bound says. Prepared once, then a few
/// nanoseconds a build.
class Bounds {
 public:
  /// The evaluator must outlive it.
  Bounds(const Evaluator& evaluator, const std::vector<BuildChoice>& choices);

  /// A limit that the build breaks whatever its links are, or none.
  Misfit misfit(const BuildChoice& choice) const;
  /// The sentence to it; empty for Misfit::none.
  std::string why_not(const BuildChoice& choice) const;
  /// No greater than rank_value() of the build by the query's metric.
  double value(const BuildChoice& choice) const;
  /// Of cards, board, processor, memory and enclosure.
  Yuan price(const BuildChoice& choice) const;

 private:
  const CardsBound& cards(const BuildChoice& choice) const;
  const HostBound& host(const BuildChoice& choice) const;
  Yuan cost(const CardsBound& cards, const HostBound& host, const CardsBound::Plan& plan) const;

  const Query& query_;
  std::unordered_map<const Gpu*, std::map<int, CardsBound>> cards_;
  std::unordered_map<const HostKit*, HostBound> hosts_;
};

}  // namespace rigplan
