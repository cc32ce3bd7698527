// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/serving.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "rigplan/units/message.h"
#include "simulate/serving_time.h"

namespace rigplan {
namespace {

/// Held by driver, libraries, graphs and the buffers of one pass.
constexpr Bytes engine_buffers = 3 * GB;

Bytes weights_on_card(const ServingSetup& s) {
  const double cards = static_cast<double>(s.tensor) * s.groups;
  double bytes = 2 * s.model.head_weights * s.model.head_bytes / s.tensor;  // embedding and head
  for (const auto& g : s.model.layers)
    bytes += g.count *
             (g.dense_weights * s.model.dense_bytes / s.tensor + g.experts * g.expert_weights * s.model.expert_bytes / cards);
  return Bytes{bytes};
}

struct PromptWaits {
  Seconds each_step;    ///< of other streams' prompts, in each iteration of an answer
  Seconds until_first;  ///< of its own prompt and those before it
};
/// Of `local` streams that answer `answers` tokens each. An engine that computes waiting prompts before it goes on with answers
/// (Zheng et al., arXiv:2312.07104) keeps requests that start together, and are equally long, in one wave: the prompts of a wave
/// are computed one after another, so that a stream waits for half of them before its first token and for the other half after
/// it. Elsewhere they mix with the answers of others.
PromptWaits prompt_waits(const ServingSetup& s, double local, double answers, Seconds prompt, Seconds queued) {
  const double others = std::max(0.0, local - 1) / 2;
  if (s.starts_together && s.prompts_first) return {others / answers * prompt, (1 + others) * queued};
  return {s.constants.interference * local / answers * prompt, (1 + s.constants.queue_slope * others) * queued};
}

Range<Seconds> spread(Seconds likely, const ResidualSpread& s) {
  return {std::exp(s.low) * likely, likely, std::exp(s.high) * likely};
}

std::string_view limiting(const IterationParts& p, Seconds prompts, bool waiting) {
  if (waiting) return msg("cache size");
  const bool reading = p.read >= 0.75 * p.weights;
  const std::array<std::pair<Seconds, std::string_view>, 5> shares = {
      {{p.weights, reading ? msg("memory bandwidth") : msg("arithmetic")},
       {p.cache, msg("KV cache")},
       {p.links, msg("links")},
       {p.launches + p.host, msg("launches")},
       {prompts, msg("prompts")}}};
  return std::max_element(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first < b.first; })->second;
}

}  // namespace

double streams_held(const ServingSetup& s, Tokens prompt, Tokens generate) {
  const double depth = (prompt + 0.5 * generate).in(token);
  const Bytes pool = s.memory_share * s.card.vram - weights_on_card(s) - engine_buffers;
  if (pool <= Bytes{}) return 0;
  double stream = 0;
  for (const auto& g : s.model.layers)
    stream += g.count * ((g.window > 0 ? std::min(depth, g.window) : depth) * g.cache_bytes + g.state_bytes);
  return pool.in(byte) / std::max(1.0, stream) * s.groups * s.replicas;
}

// One iteration computes a token of every running stream, and the prompts of those that join: a stream that generates G tokens
// makes room for one prompt every G iterations, so each iteration carries streams / G prompts (continuous batching: Yu et al.,
// OSDI 2022; chunks of prompts in the same batch: Agrawal et al., arXiv:2403.02310).
ServingPoint serve_at(const ServingSetup& s, Tokens prompt, Tokens generate, int users) {
  ServingPoint out;
  out.users = users;
  const double held = streams_held(s, prompt, generate), answers = std::max(1.0, generate.in(token));
  out.running = std::min<double>(users, held);
  if (held < 1) return out;
  const auto& c = s.constants;
  const double streams = out.running / s.replicas, local = streams / s.groups;
  const auto parts = iteration_parts(s, streams, prompt.in(token) + answers / 2);
  const Seconds one_prompt = prompt_time(s, prompt.in(token));
  const Seconds queued = one_prompt + c.layer_prompt_time * us * s.model.total_layers();
  const auto prompts = prompt_waits(s, local, answers, one_prompt, queued);
  const Seconds step = parts.total() + prompts.each_step;

  Seconds first = c.first_token_time * ms + prompts.until_first + c.first_steps * parts.total();
  // Kernels are loaded and chosen at the first request of a campaign, which its mean shares among all that start with it.
  if (s.starts_together) first += c.warm_up_time / users * ms;
  // A slot is busy from the prompt's turn to the last token; requests that find no slot do not change its rate.
  out.generated = std::min(out.running * generate / (first + answers * step), out.running * token / step);
  // A request that finds the cache full waits for others to be answered.
  const bool waiting = users > held;
  if (waiting) first += c.slot_wait * (users / held - 1) * (answers * step + local * queued);
  out.per_token = spread(step, s.step_spread);
  out.first_token = spread(first, s.first_spread);
  // Others join while a stream is answered, as many as run beside it on average: a Poisson number where they come at random,
  // whose 95th percentile lies 1.645 standard deviations above. A request's place among those that wait is spread evenly, so that
  // its wait is between nothing and twice the mean.
  const Seconds mean_wait = first - c.first_token_time * ms - queued;
  out.per_token_p95 = step + 1.645 * std::sqrt(std::max(0.0, local - 1)) / answers * c.interference * one_prompt;
  out.first_token_p95 = first + 0.9 * mean_wait;
  out.generated_per_user = out.generated / static_cast<double>(users);
  out.limited_by = limiting(parts, prompts.each_step, waiting);
  return out;
}

bool meets(const ServingPoint& point, const ServingTargets& targets) {
  return (!targets.per_token || point.per_token.likely <= *targets.per_token) &&
         (!targets.first_token || point.first_token.likely <= *targets.first_token);
}

int largest_load(const ServingSetup& s, Tokens prompt, Tokens generate, const ServingTargets& targets, int limit) {
  const auto holds = [&](int users) {
    const auto point = serve_at(s, prompt, generate, users);
    return point.running >= 1 && meets(point, targets);
  };
  if (!holds(1)) return 0;
  int good = 1, bad = limit + 1;
  while (bad - good > 1) {
    const int middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

std::optional<int> users_at_rate(const ServingSetup& s, Tokens prompt, Tokens generate, double requests_per_second, int limit) {
  const auto answers = [&](int users) {
    const auto point = serve_at(s, prompt, generate, users);
    return point.running < 1 ? 0 : point.generated.in(token_per_s) / generate.in(token);
  };
  if (answers(limit) < requests_per_second) return std::nullopt;
  int slow = 0, enough = limit;
  while (enough - slow > 1) {
    const int middle = slow + (enough - slow) / 2;
    (answers(middle) >= requests_per_second ? enough : slow) = middle;
  }
  return enough;
}

int knee(const ServingSetup& s, Tokens prompt, Tokens generate, int limit) {
  for (int users = 1; users <= limit; users *= 2)
    if (serve_at(s, prompt, generate, 2 * users).generated < 1.25 * serve_at(s, prompt, generate, users).generated) return users;
  return limit;
}

}  // namespace rigplan
