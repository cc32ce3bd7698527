// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rigplan {

/// A small model proposes `draft_tokens`, the large one checks them in one pass.
struct Speculation {
  int draft_tokens = 0;
  double acceptance = 0;  ///< chance that one proposed token is kept, 0 to 1
  double draft_cost = 0;  ///< time of one proposal over the time of one pass of the large model
};

/// Tokens gained for each pass over the time of the pass with its proposals: theorem 3.8 of Leviathan, Kalman, Matias 2023 (arXiv
/// 2211.17192), as if proposals were accepted independently. Below 1 where proposals cost more than they bring.
double speculation_factor(const Speculation&);

}  // namespace rigplan
