// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace rigplan {

/// What an optimizer keeps for every trained weight.
struct Optimizer {
  std::string_view name;
  double moments = 0;      ///< values per weight kept in the format of the trained weights
  double fixed_bytes = 0;  ///< bytes per weight that do not depend on that format (quantised moments with their scales)
  bool factored = false;   ///< second moment as one row and one column per matrix: nothing that grows with the weights
  bool paged = false;      ///< moments may move to host memory when the card is full
};

/// By name without regard to case, "_" and "-" alike; nullptr when there is none.
const Optimizer* find_optimizer(std::string_view name);
std::span<const Optimizer> optimizers();

/// Bytes per trained weight when weights and moments are kept with `element` bytes.
double state_bytes_per_weight(const Optimizer&, double element);

}  // namespace rigplan
