// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/layer_times.h"

namespace rigplan {

Seconds layer_times(const InferenceWork& work, const SpeedConstants& constants) {
  const double layers = work.attention_layers + constants.recurrent_layer_times * work.recurrent_layers +
                        constants.expert_layer_times * work.expert_layers +
                        constants.low_rank_layer_times * work.low_rank_layers +
                        constants.compressed_layer_times * work.compressed_layers;
  return layers * constants.layer_time * second;
}

}  // namespace rigplan
