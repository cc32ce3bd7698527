// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigplan/search/evaluator.h"
#include "rigplan/validate/claim.h"
#include "rigplan/workload/model_library.h"

namespace rigplan {

/// Mildest first. Of several checks the worst one decides.
enum class Verdict {
  consistent,    ///< the arithmetic holds, and the figure lies where facts and model put it
  unverifiable,  ///< nothing here can confirm or refute it
  implausible,   ///< breaks no law, but is far outside what facts and model allow; or holds only if read in another way
  impossible,    ///< its own arithmetic, a figure of the maker or a ceiling of the hardware contradicts it
};
std::string_view to_text(Verdict verdict);

/// One check: its verdict and the sum behind it in one line.
struct CheckedPart {
  Verdict verdict{};
  std::string text;
};

struct CheckedClaim {
  Verdict verdict{};
  std::vector<CheckedPart> parts;
};

/// What checks are made with.
struct ClaimContext {
  const Catalog& catalog;
  ModelLibrary& models;
  const Calibrations& calibrations;
};

CheckedClaim check_claim(const ClaimContext& context, const Claim& claim);

CheckedPart check_part(const ClaimContext& context, const SumCheck& check);
CheckedPart check_part(const ClaimContext& context, const FigureCheck& check);
CheckedPart check_part(const ClaimContext& context, const FitsCheck& check);
CheckedPart check_part(const ClaimContext& context, const SpeedCheck& check);
CheckedPart check_part(const ClaimContext& context, const TrainingCheck& check);
CheckedPart check_part(const ClaimContext& context, const RentCheck& check);
CheckedPart check_part(const ClaimContext& context, const PriceCheck& check);

}  // namespace rigplan
