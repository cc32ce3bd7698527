// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rigplan/search/space.h"

namespace rigplan {

/// What a set of cards can do at best, whatever it is plugged into.
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
  Yuan price;        ///< of the cards
  double gone = 1;   ///< share of the price that does not come back over the horizon, upkeep included
  Watts peak, idle;  ///< of the cards
  Bytes vram;
};

/// What a host costs and draws at least: supplies, cooling, adapters and reserve are left out.
struct HostBound {
  Yuan price, gone;              ///< of all its parts; what of it does not come back
  Yuan board_price, board_gone;  ///< the board's part of both
  Watts idle, busy;
};

/// What network or bridge add to the bill; they draw nothing that is counted.
struct ExtraBound {
  Yuan price, gone;
};

/// Prices of a build other than today's: factors of the cards' and of the board's.
struct PriceFactors {
  double card = 1, board = 1;
};

/// Bounds of every build of a space: no build is better in any measure than its bound says. Prepared once, then a few
/// nanoseconds a build.
class Bounds {
 public:
  /// The evaluator and the space must outlive it.
  Bounds(const Evaluator& evaluator, const Space& space);

  /// A limit that the build breaks whatever its links are, or none.
  Misfit misfit(const BuildChoice& choice, const PriceFactors& factors = {}) const;
  /// The sentence to it; empty for Misfit::none.
  std::string why_not(const BuildChoice& choice) const;
  /// No greater than rank_value() of the build.
  double value(const BuildChoice& choice, RankBy by, const PriceFactors& factors = {}) const;
  /// No greater than the price of the build.
  Yuan price(const BuildChoice& choice, const PriceFactors& factors = {}) const;
  /// What the cards alone rule out, before a host is looked at.
  const CardsBound& cards(const BuildChoice& choice) const { return cards_[choice.group]; }

  /// The bounds that follow hold for another horizon, other hours or another tariff. The limits stay.
  void use_schedule(const WorkSchedule& schedule);

 private:
  const HostBound& host(const BuildChoice& choice) const { return hosts_[choice.host]; }
  /// Everything but the cards, of all machines.
  ExtraBound around_cards(const BuildChoice& choice, double board_factor) const;
  ExtraBound extra(const Part& part, BillKind kind, int count) const;
  /// At full power, least.
  Watts draw(const BuildChoice& choice) const { return cards(choice).peak + choice.machines * host(choice).busy; }
  Yuan cost(const BuildChoice& choice, const CardsBound::Plan& plan, const PriceFactors& factors) const;

  const Evaluator& evaluator_;
  const Space& space_;
  WorkSchedule schedule_;
  std::vector<CardsBound> cards_;  ///< by BuildChoice::group
  std::vector<HostBound> hosts_;   ///< by BuildChoice::host
  std::map<const NetworkChoice*, ExtraBound> networks_;
  std::map<const Part*, ExtraBound> bridges_;  ///< of one
  double bare_share_ = 1;                      ///< most of a bill that is not supplies, cooling or reserve
  double supply_gone_ = 0;                     ///< least share of those that does not come back
};

}  // namespace rigplan
