// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/estimate/collectives/group_links.h"

namespace rigplan {

/// Calibration terms of one group: every term is asked with the levels that describe the group and its stack.
class CalibratedTerms {
 public:
  CalibratedTerms(const Calibration& calibration, const GroupLinks& links, std::string_view stack);
  double operator()(std::string_view name) const { return calibration_->value(name, levels_); }

 private:
  const Calibration* calibration_;
  std::vector<std::string> levels_;
};

}  // namespace rigplan
