// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/attention_time.h"

namespace rigplan {

Seconds attention_time(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, int tensor,
                       double behind, double rows) {
  return work.attention_over(behind, rows) / (tensor * constants.attention_share * card.matrix16);
}

}  // namespace rigplan
