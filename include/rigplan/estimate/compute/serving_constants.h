// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/calibration.h"

namespace rigplan {

/// The fitted constants of continuous batching on one engine and family of chips.
struct ServingConstants {
  // One iteration
  double dense_share = 0;                        ///< of the memory bandwidth, reading matrices that every token uses
  double flop_share = 0;                         ///< of the matrix rate, at the few rows of a decode step
  double expert_share = 0;                       ///< of the memory bandwidth, reading routed experts
  double cache_share = 0;                        ///< of the memory bandwidth, reading the KV cache
  double all_reduce_latency = 0;                 ///< us, of an all-reduce over peer links
  double all_reduce_share = 0;                   ///< of the bus bandwidth, for messages of a decode step over peer links
  double layer_time = 0;                         ///< us, launches and gaps of a layer
  double latent_factor = 0, indexer_factor = 0;  ///< on layer_time
  double mixture_time = 0;                       ///< us, routing, permutation and combination of an expert layer
  double iteration_time = 0;                     ///< us, host and sampling
  double stream_time = 0;                        ///< us, scheduler, sampler and detokeniser for each stream
  // Prompts
  double prefill_share = 0, prefill_expert_share = 0;  ///< of the matrix rate
  double prefill_attention_share = 0;                  ///< of the 16-bit matrix rate
  double prefill_all_reduce_share = 0;                 ///< of the bus bandwidth
  double interference = 0;                             ///< share of a prompt's time that delays every other stream
  double warm_up_time = 0;                             ///< ms, of requests that start together: once, before the first of them
  double first_token_time = 0;                         ///< ms, request handling before anything is computed
  double queue_slope = 0;                              ///< prompts that a request waits for, per half of the other streams
  double layer_prompt_time = 0;                        ///< us of a prompt per layer, launches
  double first_steps = 0;  ///< decode steps that pass before a prompt is taken in and its first token is out
  double slot_wait = 0;    ///< share of a full turn that a request waits when the cache is full
};

std::span<const std::string_view> serving_terms();  ///< in the order of the members above
ServingConstants make_serving_constants(std::span<const double> values);
ServingConstants serving_constants(const Calibration&, std::span<const std::string> levels);

/// The levels: "engine:vllm", "family:hopper", "dense:fp8", "expert:mxfp4", "load:steady".
std::vector<std::string> serving_levels(std::string_view engine, std::string_view family, std::string_view dense_class,
                                        std::string_view expert_class, bool starts_together);

}  // namespace rigplan
