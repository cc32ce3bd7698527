// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// What a build costs over the planning horizon.
struct Cost {
  Range<Yuan> purchase;
  Range<Yuan> resale;  ///< at the end of the horizon
  Range<Yuan> energy;
  Range<Yuan> upkeep;

  /// purchase - resale + energy + upkeep. Low pairs the low price with the best share kept, high the high price with the worst.
  Range<Yuan> total() const;
};

/// What one unit of work or of hardware costs. Named apart and never mixed; nothing where the divisor is zero.
struct Merit {
  std::optional<Range<YuanPerFlopRate>> per_usable_rate;           ///< cost over the horizon / usable rate
  std::optional<Range<YuanPerFlopRate>> purchase_per_usable_rate;  ///< purchase alone / usable rate
  std::optional<Range<YuanPerFlopRate>> purchase_per_peak_rate;    ///< purchase alone / peak rate of the datasheet
  std::optional<Range<YuanPerToken>> per_token;                    ///< cost / tokens made in the loaded hours of the horizon
  std::optional<Range<YuanPerTokenRate>> per_token_rate;           ///< cost / token rate
  std::optional<Range<YuanPerByte>> purchase_per_vram;
};

/// What the merit of a build is computed from.
struct Yield {
  Range<FlopRate> usable;   ///< model FLOPs a second that the whole build sustains on the job
  FlopRate peak;            ///< 0: unknown
  Range<TokenRate> tokens;  ///< of the whole build while it is loaded
  Seconds loaded;           ///< loaded time within the horizon
  Bytes vram;               ///< of all cards
};

/// The range of a quotient here pairs high cost with low yield and low cost with high yield.
Merit merit_of(const Cost& cost, const Yield& yield);

}  // namespace rigplan
