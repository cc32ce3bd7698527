// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rigplan/search/candidate.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// The items of many bills, numbered, with the prices that the bills have.
class BillItems {
 public:
  std::uint32_t number_of(const PurchaseLine& line);
  const std::vector<Range<Yuan>>& prices() const { return prices_; }
  const std::string& id(std::size_t number) const { return ids_[number]; }
  std::optional<std::uint32_t> find(const std::string& id) const;

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::string> ids_;
  std::vector<Range<Yuan>> prices_;
};

/// What a build is ranked by when prices, schedule or speed are others than those that it was evaluated with. Its parts, its
/// plan and its power stay. A rank value costs some ten nanoseconds.
class PricedBuild {
 public:
  /// The candidate must outlive it.
  PricedBuild(const Catalog& catalog, const Candidate& candidate, const WorkSchedule& evaluated, BillItems& items);

  /// Resale and upkeep that follow are those of another horizon, energy that of other hours and another tariff.
  void use_schedule(const Catalog& catalog, const WorkSchedule& schedule);

  struct Bill {
    Yuan total;
    Yuan gone;  ///< total - resale + upkeep
  };
  /// @param prices by item number; of each the low and the likely bound count, as in a bill
  Bill bill(const std::vector<Range<Yuan>>& prices) const;
  /// The rank value, smaller is better; nothing when the candidate has none.
  std::optional<double> value(RankBy by, const Bill& bill, double speed = 1) const;

  const Candidate& candidate() const { return *candidate_; }

 private:
  struct Line {
    std::uint32_t item = 0;
    double count = 0;
    double kept = 0;            ///< share of the price that comes back
    bool counts_spent = false;  ///< supplies and cooling, which the reserve lifts
  };
  const Candidate* candidate_;
  WorkSchedule evaluated_, schedule_;
  std::vector<Line> lines_;
  Yuan energy_;
  double reserve_share_ = 0, upkeep_ = 0;
};

}  // namespace rigplan
