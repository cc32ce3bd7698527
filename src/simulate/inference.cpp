// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "rigplan/simulate/prefill.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// Engines that read checkpoints schedule prompts in chunks of this many tokens at most; those that read GGUF have a micro-batch.
constexpr double checkpoint_chunk = 8192;
/// Share of a host's copy bandwidth that matrix-vector products reach there, and the cost of going to the host and back for one
/// layer's experts. Inferred: no row of the fit states the host's memory bandwidth.
constexpr double host_share = 0.7;
constexpr Seconds host_visit = 40 * us;

const WeightMix& mix_of(const Job& job) {
  const auto* mix = find_weight_mix(job.weight_format);
  if (!mix) throw std::invalid_argument{fmt::format("there is no weight format \"{}\"", job.weight_format)};
  return *mix;
}

const NumberFormat& format_of(const std::string& name) {
  const auto* format = find_number_format(name);
  if (!format) throw std::invalid_argument{fmt::format("there is no number format \"{}\"", name)};
  return *format;
}

std::string_view split_name(const SplitShape& split) {
  if (split.cards == 1) return "single";
  switch (split.mode) {
    case SplitMode::layer:
      return "layer";
    case SplitMode::row:
      return "row";
    default:
      return "tensor";
  }
}

std::string_view greatest(const DecodeParts& parts) {
  const std::pair<Seconds, std::string_view> causes[] = {
      {parts.weights, msg("memory bandwidth")}, {parts.arithmetic, msg("arithmetic")}, {parts.kv, msg("KV cache")},
      {parts.launches, msg("launches")},        {parts.communication, msg("link")},    {parts.host, msg("host memory")}};
  return std::ranges::max_element(causes, {}, &std::pair<Seconds, std::string_view>::first)->second;
}

template <class Q>
Range<Q> rate_range(Q likely, const ResidualSpread& spread) {
  return {std::exp(spread.low) * likely, likely, std::exp(spread.high) * likely};
}

DecodeParts scaled(DecodeParts parts, double k) {
  for (auto* part : {&parts.weights, &parts.arithmetic, &parts.kv, &parts.launches, &parts.communication, &parts.host})
    *part *= k;
  return parts;
}

void add(DecodeParts& sum, const DecodeParts& parts) {
  sum.weights += parts.weights;
  sum.arithmetic += parts.arithmetic;
  sum.kv += parts.kv;
  sum.launches += parts.launches;
}

/// Layers are divided by memory, as llama.cpp does without --tensor-split.
std::vector<ResolvedCard> resolve_cards(std::span<const CardSpeed> cards, const InferenceWork& work,
                                        const Calibration& calibration, const SpeedSituation& situation) {
  if (cards.empty()) throw std::invalid_argument{"there are no cards"};
  Bytes memory;
  for (const auto& card : cards) memory += card.vram;
  std::vector<ResolvedCard> resolved;
  for (const auto& card : cards) {
    const double share = memory > Bytes{} ? card.vram / memory : 1.0 / static_cast<double>(cards.size());
    const auto same = std::ranges::find_if(resolved, [&](const ResolvedCard& other) {
      return other.card.card == card.card && other.card.power_cap == card.power_cap;
    });
    if (same != resolved.end())
      same->layers += share;
    else
      resolved.push_back({card, resolve_speed_constants(calibration, speed_levels(situation, card, work)), share});
  }
  return resolved;
}

InferenceWork work_of(const TransformerModel& model, const Job& job, const InferenceSetting& setting) {
  return inference_work(model, mix_of(job), format_of(job.key_format), format_of(job.value_format), setting.weights);
}

SpeedSituation situation_of(const Job& job, const SplitShape& split) {
  return {job.engine, job.engine_date, job.flash_attention, std::string{split_name(split)}};
}

}  // namespace

std::vector<std::string> inference_levels(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                                          const CardSpeed& card) {
  return speed_levels(situation_of(job, split_shape(plan)), card, work_of(model, job, {}));
}

std::string_view distance_from_rows(const Calibration& calibration, const CardSpeed& card, std::string_view engine_level) {
  const auto known = [&](const std::string& level) { return calibration.known.contains(level); };
  if (!known(fmt::format("arch:{}", card.architecture)) || !known(fmt::format("{}|family:{}", engine_level, card.family)))
    return "unknown";
  return known(fmt::format("card:{}", card.card)) ? "known" : "known-architecture";
}

PreparedInference::PreparedInference(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                                     std::span<const CardSpeed> cards, const GroupFabric& fabric, const Calibration& calibration,
                                     const InferenceSetting& setting)
    : work_{work_of(model, job, setting)},
      split_{split_shape(plan)},
      fabric_{fabric},
      setting_{setting},
      prompt_{std::max(job.prompt.in(token), 1.0)},
      generate_{std::max(job.generate.in(token), 1.0)},
      chunk_{work_.format_family == "gguf" ? std::max(job.micro_batch, 1) : checkpoint_chunk},
      users_{std::max(job.users, 1)},
      replicas_{std::max(plan.replicas, 1)} {
  if (setting.full_windows)
    for (auto& cache : work_.caches) cache.window = std::numeric_limits<double>::infinity();
  cards_ = resolve_cards(cards, work_, calibration, situation_of(job, split_));
  const auto engine = "engine:" + engine_with_backend(job.engine, cards_.front().card);
  std::string_view distance = "known";
  for (const auto& card : cards_) {
    const auto d = distance_from_rows(calibration, card.card, engine);
    if (d == "unknown" || distance == "known") distance = d;
  }
  const auto spread = [&](std::string_view kind) {
    const auto& of_rows = calibration.spread(kind, distance);
    return job.engine_date.empty() ? with_reports(of_rows, calibration) : of_rows;
  };
  single_spread_ = spread("decode");
  several_spread_ = spread("decode-several");
  batch_spread_ = spread("decode-batch");
  prefill_spread_ = spread("prefill");
  prepare_request();
}

void PreparedInference::prepare_request() {
  prompt_alone_ = prompt_time(prompt_);
  const auto prompt = 2 * (work_.active_values * prompt_ + work_.head_values) * FLOP + work_.attention_over(0, prompt_);
  const auto answer = 2 * (work_.active_values + work_.head_values) * generate_ * FLOP + work_.attention_over(prompt_, generate_);
  request_work_ = prompt + answer;
}

void PreparedInference::use_lengths(Tokens prompt, Tokens generate) {
  const double prompt_tokens = std::max(prompt.in(token), 1.0), generated = std::max(generate.in(token), 1.0);
  if (prompt_tokens == prompt_ && generated == generate_) return;
  prompt_ = prompt_tokens;
  generate_ = generated;
  prepare_request();
}

void PreparedInference::use_constants(const SpeedConstants& constants) {
  for (auto& card : cards_) card.constants = constants;
  prepare_request();
}

DecodeParts PreparedInference::on_cards(double depth, double streams) const {
  if (cards_.size() == 1) return decode_on_card(work_, cards_.front(), split_, depth, streams);
  DecodeParts sum, slowest;
  for (const auto& card : cards_) {
    const auto parts = decode_on_card(work_, card, split_, depth, streams);
    add(sum, scaled(parts, card.layers));
    if (parts.total() > slowest.total()) slowest = parts;
  }
  return split_.tensor > 1 ? slowest : sum;
}

Seconds PreparedInference::on_host(double depth, double streams) const {
  const auto& host = *setting_.host;
  const auto routed = work_.weights_read(streams) - work_.dense_weights;
  const auto layers = host.layers * (work_.dense_weights + routed + streams * work_.cache_read(depth));
  const double experts = host.experts * (1 - host.layers);
  auto time = (layers + experts * routed) / (host_share * host.memory);
  if (experts > 0) time += work_.expert_layers * (1 - host.layers) * host_visit;
  return time;
}

DecodeParts PreparedInference::decode_step(double depth, double streams) const {
  // Stages of a pipeline work on different groups of streams at once, so all streams advance in the time of one group.
  const bool staged = split_.mode == SplitMode::tensor && split_.pipeline > 1;
  const double rows = staged ? std::max(1.0, streams / split_.pipeline) : streams;
  auto parts = on_cards(depth, rows);
  parts.communication = split_time(split_, fabric_, work_, cards_.front().constants, rows);
  if (setting_.host) {
    const double routed_bytes = (work_.weights_read(streams) - work_.dense_weights) / work_.weights_read(streams);
    const double kept = (1 - setting_.host->layers) * (1 - setting_.host->experts * routed_bytes);
    parts.weights *= kept;
    parts.arithmetic *= kept;
    parts.kv *= 1 - setting_.host->layers;
    parts.launches *= 1 - setting_.host->layers;
    parts.host = on_host(depth, streams);
  }
  return parts;
}

Seconds PreparedInference::prompt_time(double tokens, double behind) const {
  Seconds sum, slowest;
  for (const auto& card : cards_) {
    const auto time = prefill_on_card(work_, card, split_, behind, tokens, chunk_);
    sum += card.layers * time;
    slowest = std::max(slowest, time);
  }
  const auto& constants = cards_.front().constants;
  const double chunks = std::ceil(tokens / chunk_);
  auto time = split_.tensor > 1 ? slowest : sum;
  if (split_.pipeline > 1) time /= 1 + (std::min<double>(split_.pipeline, chunks) - 1) * std::min(constants.chunk_overlap, 1.0);
  time += constants.prompt_time * second;
  time += chunks * split_time(split_, fabric_, work_, constants, std::min(tokens, chunk_));
  if (setting_.host) {
    const auto& host = *setting_.host;
    const auto moved = host.layers * work_.dense_weights + std::max(host.layers, host.experts) * work_.routed_weights;
    time += chunks * moved / (host.link > Bandwidth{} ? host.link : host.memory);
  }
  return time;
}

const ResidualSpread& PreparedInference::decode_spread(double streams) const {
  return streams > 1 ? batch_spread_ : split_.cards > 1 ? several_spread_ : single_spread_;
}

/// Useful arithmetic of one request over the time that it takes beside streams like it.
FlopRate PreparedInference::usable(double streams, double replicas) const {
  const auto time = streams * prompt_alone_ + generate_ * decode_step(prompt_ + generate_ / 2, streams).total();
  return replicas * streams * request_work_ / time;
}

InferenceSpeed PreparedInference::at(Tokens depth, int users) const {
  const double active_replicas = std::min(replicas_, std::max(users, 1));
  const double streams = std::max(users, 1) / active_replicas;
  const double gain = setting_.speculation ? speculation_factor(*setting_.speculation) : 1;
  InferenceSpeed speed;
  speed.parts = decode_step(depth.in(token), streams);
  const auto per_user = gain * token / speed.parts.total();
  const auto prompt = prompt_alone_;
  // However good a kernel is, it reads the weights no faster than the memory gives them.
  const double share = cards_.front().constants.bandwidth_share / (1 + cards_.front().constants.bandwidth_share);
  const auto ceiling = gain * token / (share * speed.parts.weights + speed.parts.host);
  speed.decode_per_user = rate_range(per_user, decode_spread(streams));
  speed.decode_per_user.high = std::clamp(speed.decode_per_user.high, per_user, std::max(per_user, ceiling));
  speed.decode = map_range(speed.decode_per_user, [&](TokenRate rate) { return streams * active_replicas * rate; });
  speed.prefill = rate_range(prompt_ * token / prompt, prefill_spread_);
  const auto first = prompt + speed.parts.total();
  speed.first_token = {std::exp(-prefill_spread_.high) * first, first, std::exp(-prefill_spread_.low) * first};
  speed.limited_by = greatest(speed.parts);
  speed.usable = usable(streams, active_replicas);
  return speed;
}

InferenceSpeed PreparedInference::at_lengths(int users) const { return at((prompt_ + generate_ / 2) * token, users); }

InferenceSpeed PreparedInference::at_job() const { return at_lengths(users_); }

}  // namespace rigplan
