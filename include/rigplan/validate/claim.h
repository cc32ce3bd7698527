// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rigplan/units/quantity.h"
#include "rigplan/workload/job.h"

namespace rigplan {

class JsonFile;

/// How a stated number relates to the one that is computed.
enum class Relation { equal, at_most, at_least };

/// "64 * 1.2 * 8 * 22 * 3 is 166,000": arithmetic over numbers and figures of the catalog, see claim_sum.h.
struct SumCheck {
  std::string sum;
  double says = 0;
  std::string unit{};    ///< for people
  double within = 0.02;  ///< share by which an equal number may differ
  Relation relation = Relation::equal;
  struct Reading {
    std::string sum, as;  ///< another sum that was perhaps meant, and what it assumes
  };
  std::vector<Reading> readings{};
};

/// "The card draws 300 W": one figure of the catalog. A number is compared within 3 %, a text letter by letter; "none" agrees
/// with a figure that the entry does not have.
struct FigureCheck {
  std::string family, id, field;  ///< "gpus", "mi50-16gb", "cooling"
  std::string says;               ///< "300 W"
  bool contains = false;          ///< the figure's text need only contain what is said
};

/// A model: an id, or a number of parameters where nobody knows its shape.
struct ClaimedModel {
  std::string id;
  double parameters = 0;
  std::string quant = "Q4_K_M";
  double bits = 0;  ///< of a weight, with `parameters`
};

struct ClaimedCards {
  std::string gpu;
  int count = 1;
};

/// "The model fits on the cards", or that it does not, and what its weights are said to take.
struct FitsCheck {
  ClaimedModel model{};
  ClaimedCards cards{};
  JobKind kind = JobKind::inference;
  Tokens context{4096};
  Tokens sequence{1024};
  bool fits = true;
  std::optional<Bytes> weights{};
};

/// "The model runs at so many tokens a second": of one user's decoding, or of all users together.
struct SpeedCheck {
  ClaimedModel model{};
  ClaimedCards cards{};
  std::string engine{};
  int users = 1;
  TokenRate low{}, high{};
};

/// "So many tokens were trained in this time."
struct TrainingCheck {
  ClaimedModel model{};
  ClaimedCards cards{};
  JobKind kind = JobKind::lora;
  Tokens tokens{0};
  Seconds time{};
  struct Reading {
    Tokens tokens{0};
    std::string as;
  };
  std::vector<Reading> readings{};
};

/// "A card-hour costs so much."
struct RentCheck {
  std::string gpu;
  YuanPerSecond per_card{};
};

/// "An item costs so much."
struct PriceCheck {
  std::string item;
  Yuan low{}, high{};
};

using ClaimCheck = std::variant<SumCheck, FigureCheck, FitsCheck, SpeedCheck, TrainingCheck, RentCheck, PriceCheck>;

/// What somebody states, taken apart into what can be computed. Without checks nothing can be.
struct Claim {
  std::string id, says, source;
  std::string why;  ///< what is missing, where nothing can be computed
  std::vector<ClaimCheck> checks;
};

/// Reads a claim file ("schema": "rigplan/claim/1"). @throws DataError with file, line and pointer.
Claim read_claim(const JsonFile& file);

}  // namespace rigplan
