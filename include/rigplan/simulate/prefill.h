// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/simulate/decode.h"

namespace rigplan {

/// A prompt of `tokens` tokens behind `behind` cached ones on one card, in chunks of at most `chunk` rows.
Seconds prefill_on_card(const InferenceWork& work, const ResolvedCard& card, const SplitShape& split, double behind,
                        double tokens, double chunk);

}  // namespace rigplan
