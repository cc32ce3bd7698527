// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/compute/split_time.h"

namespace rigplan {

/// One card of a replica with the constants that apply to it and its share of the layers.
struct ResolvedCard {
  CardSpeed card;
  SpeedConstants constants;
  double layers = 1;  ///< share, 0 to 1, where layers are divided
};

/// Time of one decode step by cause; the parts add up to the step.
struct DecodeParts {
  Seconds weights;        ///< reading weights from the cards' memory
  Seconds arithmetic;     ///< what arithmetic adds above reading: unpacking of block formats, matrix products of a batch
  Seconds kv;             ///< reading caches and states
  Seconds launches;       ///< fixed times of layers, of the token and of each further stream
  Seconds communication;  ///< all-reduces, gathers and boundaries between cards
  Seconds host;           ///< layers and experts in host memory

  Seconds total() const { return weights + arithmetic + kv + launches + communication + host; }
};

/// One step of `streams` streams, each `depth` tokens deep, on one card that computes `routed` of the routed experts and, with
/// tensor-parallel peers, 1 / tensor of everything else.
DecodeParts decode_on_card(const InferenceWork& work, const ResolvedCard& card, const SplitShape& split, double depth,
                           double streams);

}  // namespace rigplan
