// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/serving_constants.h"

#include <algorithm>

namespace rigplan {
namespace {

struct ServingTerm {
  std::string_view name;
  double ServingConstants::*member;
  bool share = false;
};
constexpr ServingTerm serving_term_table[] = {
    {"dense_share", &ServingConstants::dense_share, true},
    {"flop_share", &ServingConstants::flop_share, true},
    {"expert_share", &ServingConstants::expert_share, true},
    {"cache_share", &ServingConstants::cache_share, true},
    {"all_reduce_latency", &ServingConstants::all_reduce_latency},
    {"all_reduce_share", &ServingConstants::all_reduce_share, true},
    {"layer_time", &ServingConstants::layer_time},
    {"latent_factor", &ServingConstants::latent_factor},
    {"indexer_factor", &ServingConstants::indexer_factor},
    {"mixture_time", &ServingConstants::mixture_time},
    {"iteration_time", &ServingConstants::iteration_time},
    {"stream_time", &ServingConstants::stream_time},
    {"prefill_share", &ServingConstants::prefill_share, true},
    {"prefill_expert_share", &ServingConstants::prefill_expert_share, true},
    {"prefill_attention_share", &ServingConstants::prefill_attention_share, true},
    {"prefill_all_reduce_share", &ServingConstants::prefill_all_reduce_share, true},
    {"interference", &ServingConstants::interference, true},
    {"first_token_time", &ServingConstants::first_token_time},
    {"queue_slope", &ServingConstants::queue_slope, true},
    {"layer_prompt_time", &ServingConstants::layer_prompt_time},
    {"first_steps", &ServingConstants::first_steps},
    {"slot_wait", &ServingConstants::slot_wait, true},
    {"warm_up_time", &ServingConstants::warm_up_time},
};

}  // namespace

std::span<const std::string_view> serving_terms() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const auto& term : serving_term_table) all.push_back(term.name);
    return all;
  }();
  return names;
}

ServingConstants make_serving_constants(std::span<const double> values) {
  ServingConstants c;
  for (std::size_t i = 0; i < std::size(serving_term_table); ++i)
    c.*serving_term_table[i].member = serving_term_table[i].share ? std::min(1.0, values[i]) : values[i];
  return c;
}

ServingConstants serving_constants(const Calibration& calibration, std::span<const std::string> levels) {
  std::vector<double> values;
  for (const auto& term : serving_term_table) values.push_back(calibration.value(term.name, levels));
  return make_serving_constants(values);
}

std::vector<std::string> serving_levels(std::string_view engine, std::string_view family, std::string_view dense_class,
                                        std::string_view expert_class, bool starts_together) {
  const std::string e{engine}, f{family}, d{dense_class}, x{expert_class};
  const std::string load = starts_together ? "load:together" : "load:steady";
  std::vector<std::string> levels = {"engine:" + e, "family:" + f, "dense:" + d, load, "engine:" + e + "|" + load};
  if (!x.empty()) levels.insert(levels.end(), {"expert:" + x, "expert:" + x + "|family:" + f});
  return levels;
}

}  // namespace rigplan
