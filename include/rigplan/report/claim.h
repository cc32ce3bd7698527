// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/validate/check_claim.h"

namespace rigplan {

/// A claim and what came of it.
struct ClaimRow {
  Claim claim;
  CheckedClaim checked;
};

/// One claim in full, or one line each and a count of verdicts.
std::string claims_to_text(const std::vector<ClaimRow>& rows, const Screen& screen = {});
/// {"schema": "rigplan/check-claim/1", "claims": [...], "counts": {...}}
JsonValue claims_to_json(const std::vector<ClaimRow>& rows);

}  // namespace rigplan
