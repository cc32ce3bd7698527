// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "rigplan/catalog/calibration.h"

namespace rigplan::test {

/// The terms of a family with round values for every level alike; those that are not named are 1.
inline Calibration round_calibration(std::string_view family, const std::map<std::string, double>& values) {
  auto made = built_in_calibration(family);
  for (auto& [name, term] : made.terms) {
    const auto value = values.find(name);
    term.log_mean = value == values.end() ? 0 : std::log(value->second);
    term.offsets.clear();
  }
  return made;
}

}  // namespace rigplan::test
