// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/compute/inference_work.h"
#include "rigplan/estimate/compute/speed_constants.h"

namespace rigplan {

/// (a^p + b^p)^(1/p): the greater of two times that overlap nearly wholly, without the kink of max().
Seconds soft_max(Seconds a, Seconds b, double p);

/// Peak rate of the matrix path that multiplies weights of this format.
FlopRate matrix_peak(const CardSpeed& card, const InferenceWork& work);

/// Factor of power on arithmetic and on memory: chips with fewer watts for each unit of arithmetic clock lower under load than
/// their datasheet says, and a cap below the board power acts on both.
struct PowerFactors {
  double arithmetic = 1, bandwidth = 1;
};
PowerFactors power_factors(const CardSpeed& card, const SpeedConstants& constants);

/// Times of one pass through the weights; `total` is less than their sum because they overlap.
struct WeightPass {
  Seconds read;      ///< weights from memory
  Seconds unpack;    ///< arithmetic of matrix-vector kernels on every weight read
  Seconds multiply;  ///< matrix products
  Seconds total;
};

/// One decode step of `streams` tokens on a card that holds `dense_share` of the dense and `routed_share` of the routed weights.
/// The roofline model (Williams, Waterman, Patterson 2009) with soft corners.
WeightPass decode_weight_pass(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, double streams,
                              double dense_share, double routed_share);

/// One pass of `rows` prompt tokens; the head is left out (a prompt needs the logits of its last token only).
WeightPass prefill_weight_pass(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, double rows,
                               double dense_share, double routed_share);

}  // namespace rigplan
