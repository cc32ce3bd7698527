// SPDX-License-Identifier: Apache-2.0
#include "simulate/serving_time.h"

#include <algorithm>
#include <cmath>

namespace rigplan {
namespace {

struct Rate {
  FlopRate decode, prefill;
};

/// Weights in 4 bit without a path of their own are converted to 16 bit; MXFP4 uses the 8-bit path on chips that have one for 4.
FlopRate matrix_rate(const CardSpeed& card, const std::string& kind) {
  if (kind == "fp8") return card.fp8;
  if (kind == "fp4" || kind == "nvfp4") return card.fp4;
  if (kind == "mxfp4" && card.fp4 > card.fp8) return card.fp8;
  return card.matrix16;
}

bool over_peers(const GroupFabric& fabric) {
  return fabric.kind == LinkClass::nvswitch || fabric.kind == LinkClass::nvlink || fabric.kind == LinkClass::xgmi;
}

/// Two of them a layer: Shoeybi et al., arXiv:1909.08053.
Seconds all_reduce_time(const ServingSetup& s, double tokens, double share) {
  const double n = s.tensor;
  if (n < 2) return {};
  const Bytes size{2 * tokens * s.model.hidden};
  const bool peers = over_peers(s.fabric);
  const Seconds latency = peers ? s.constants.all_reduce_latency * us : s.fabric.all_reduce_latency;
  return latency + 2 * (n - 1) / n * size / ((peers ? share : 1) * s.fabric.all_reduce_bus);
}

Seconds hypot(Seconds a, Seconds b) { return std::hypot(a.in(second), b.in(second)) * second; }

}  // namespace

/// Of E experts, 1 - (1 - k/E)^n are touched by n tokens that draw k each (a plain urn).
double experts_touched(double experts, double active, double tokens) {
  return experts * (1 - std::pow(1 - active / experts, tokens));
}

IterationParts iteration_parts(const ServingSetup& s, double streams, double depth) {
  const auto& m = s.model;
  const auto& c = s.constants;
  const double local = std::max(1.0, streams / s.groups), cards = static_cast<double>(s.tensor) * s.groups;
  const auto dense_rate = matrix_rate(s.card, m.dense_class), expert_rate = matrix_rate(s.card, m.expert_class);
  IterationParts p;
  p.host = c.iteration_time * us + c.stream_time * us * streams;
  for (const auto& g : m.layers) {
    const Seconds read = g.dense_weights * m.dense_bytes / s.tensor * byte / (c.dense_share * s.card.memory);
    const Seconds multiply = 2 * g.dense_weights * local / s.tensor * FLOP / (c.flop_share * dense_rate);
    p.read += g.count * read;
    p.weights += g.count * hypot(read, multiply);
    if (g.experts > 0) {
      const double touched = experts_touched(g.experts, g.active, streams);
      const Seconds expert_read = touched * g.expert_weights * m.expert_bytes / cards * byte / (c.expert_share * s.card.memory);
      const Seconds expert_multiply = 2 * g.expert_weights * g.active * streams / cards * FLOP / (c.flop_share * expert_rate);
      p.read += g.count * expert_read;
      p.weights += g.count * hypot(expert_read, expert_multiply);
      p.launches += g.count * c.mixture_time * us;
    }
    const double seen = g.window > 0 ? std::min(depth, g.window) : depth;
    p.cache += g.count * local * (seen * g.cache_bytes + 2 * g.state_bytes) * byte / (c.cache_share * s.card.memory);
    p.links += g.count * 2 * all_reduce_time(s, local, c.all_reduce_share);
    const double kind = (g.latent ? c.latent_factor : 1) * (g.indexer || g.state_bytes > 0 ? c.indexer_factor : 1);
    p.launches += g.count * kind * c.layer_time * us;
  }
  const Seconds head = m.head_weights * m.head_bytes / s.tensor * byte / (c.dense_share * s.card.memory);
  p.read += head;
  p.weights += head;
  return p;
}

Seconds prompt_time(const ServingSetup& s, double tokens) {
  const auto& m = s.model;
  const auto& c = s.constants;
  const double cards = static_cast<double>(s.tensor) * s.groups;
  const auto dense_rate = c.prefill_share * matrix_rate(s.card, m.dense_class);
  const auto expert_rate = c.prefill_expert_share * matrix_rate(s.card, m.expert_class);
  Seconds t;
  for (const auto& g : m.layers) {
    const double seen = g.window > 0 ? std::min(tokens / 2, g.window) : tokens / 2;
    t += g.count * (2 * tokens * g.dense_weights / s.tensor * FLOP / dense_rate +
                    2 * tokens * g.active * g.expert_weights / cards * FLOP / expert_rate +
                    2 * tokens * seen * g.attention_width / s.tensor * FLOP / (c.prefill_attention_share * s.card.matrix16) +
                    2 * all_reduce_time(s, tokens, c.prefill_all_reduce_share));
  }
  return t;
}

Seconds iteration_time(const ServingSetup& s, double streams, double depth) { return iteration_parts(s, streams, depth).total(); }

}  // namespace rigplan
