// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "rigplan/search/flips.h"
#include "search/build_search.h"
#include "search/priced_build.h"

namespace rigplan {

/// Prices and schedule under which the first place is asked for.
struct FlipSetting {
  WorkSchedule schedule;
  FlipLever lever{};   ///< card_price or board_price, where `item` is named
  std::string item{};  ///< whose price is other than today's; empty: none
  double factor = 1;   ///< of its price
};

/// The first place under many settings. A full look does not depend on prices and schedule, so that each build is looked at once
/// at most, and only when its bound under some setting comes before the best build that is known.
class FlipSearch {
 public:
  /// @param questions as in BuildSearch; the budget is kept here, because a cheaper price brings builds under it
  FlipSearch(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations,
             std::vector<Query> questions);

  /// The best of all builds that were looked at and of `builds`. Stays where it is when further builds are looked at.
  const Candidate* first(const FlipSetting& setting, std::span<const Bounded> builds);
  /// Its rank value under the setting.
  double value(const FlipSetting& setting);
  /// Whether the bound of one of `builds` under the setting comes before `value`.
  bool may_beat(const FlipSetting& setting, std::span<const Bounded> builds, double value) const;

  /// Every build that the limits leave open, the budget apart.
  const std::vector<Bounded>& builds() const { return builds_; }
  const WorkSchedule& schedule() const { return search_.query().schedule; }
  const PriceBook& prices() const { return search_.prices(); }

 private:
  struct Best {
    double value;
    const Candidate* candidate = nullptr;
  };
  Best best_known(const FlipSetting& setting) const;
  double bound(const FlipSetting& setting, const Bounded& build) const;
  void use_schedule(const WorkSchedule& schedule);
  void look_at(std::span<const Bounded> some);
  std::size_t number(const Bounded& build) const;

  const Catalog& catalog_;
  std::optional<Yuan> budget_;
  BuildSearch search_;
  RankBy by_;
  WorkSchedule now_;  ///< of the bounds and of the priced builds
  std::vector<Bounded> builds_;
  std::vector<bool> seen_;  ///< by number()
  std::deque<Candidate> candidates_;
  std::vector<PricedBuild> priced_;
  BillItems items_;
};

}  // namespace rigplan
