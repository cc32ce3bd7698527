// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/memory_rows.h"

#include <algorithm>

#include "rigplan/units/message.h"
#include "validate/map_memory_row.h"

namespace rigplan {
namespace {

/// How far measured values lie from predicted ones, as shares; 80 % of rows should lie inside.
struct Spread {
  double low = 0, high = 0;
};

Prediction around(double value, Spread spread) { return {value * (1 - spread.low), value, value * (1 + spread.high)}; }

double total_of(const MemoryEstimate& estimate, Bytes CardMemory::*part) {
  Bytes sum;
  for (const auto& card : estimate.cards) sum += card.*part;
  return sum.in(units::MiB);
}

MemoryEstimate estimate(const MemoryCase& of) { return PreparedMemory{*of.model, of.job, of.setting}.at(of.plan, of.cards); }

/// The compute buffers of all cards; cards without a cache hold experts or the head only.
double buffers_mib(const MemoryCase& of) {
  const auto all = estimate(of);
  double sum = total_of(all, &CardMemory::compute_buffer);
  if (of.cards_with_cache >= of.plan.cards || of.plan.cards < 2) return sum;
  const double layer = all.cards.front().compute_buffer.in(units::MiB);
  return sum - layer * (of.plan.cards - of.cards_with_cache);
}

/// Where scores of a latent model would not fit beside weights and cache, the fork's users limit them.
void limit_scores(MemoryCase& of) {
  if (of.job.engine != "ik_llama.cpp" || !of.latent || !of.device_known || of.setting.host_expert_layers > 0) return;
  // Owners deal layers by hand where the even deal is tight, so the sum over the cards decides.
  Bytes need, room;
  for (const auto& card : estimate(of).cards) {
    need += card.total();
    room += card.capacity;
  }
  if (need > room) of.setting.attention_limit = units::GiB;
}

PredictionResult predict_weights(const MemoryCase& of) {
  if (!of.format_known) return Skipped{msg("number format not stated"), ""};
  const auto all = estimate(of);
  if (of.job.engine == "vLLM") return around(all.cards.front().weights.in(units::MiB), {0.01, 0.01});
  const double spread = of.note.file ? 0.004 : 0.02;
  return around(total_of(all, &CardMemory::weights), {spread, spread});
}

PredictionResult predict_cache(const MemoryCase& of) {
  if (!of.context_known) return Skipped{msg("context not stated"), ""};
  if (!of.storage_known) return Skipped{msg("storage of the latent cache not stated"), ""};
  KvCache cache{.context = of.job.context,
                .key_format = find_number_format(of.job.key_format),
                .value_format = find_number_format(of.job.value_format),
                .latent = of.setting.latent,
                .window_slack = Tokens{static_cast<double>(of.job.micro_batch)},
                .full_windows = of.setting.full_windows};
  return around(kv_cache_bytes(*of.model, cache).in(units::MiB), {0.001, 0.001});
}

PredictionResult predict_pool(const MemoryCase& of) {
  const auto all = estimate(of);
  if (of.pool_tokens > 0) {
    const double per_token = all.pool_tokens && *all.pool_tokens > 0 ? all.pool.in(units::MiB) / *all.pool_tokens : 0;
    if (per_token > 0) return around(per_token * of.pool_tokens, {0.01, 0.01});
  }
  if (!of.device_known) return Skipped{msg("unknown card"), ""};
  if (!of.format_known) return Skipped{msg("number format not stated"), ""};
  return around(all.pool.in(units::MiB), {0.15, 0.1});
}

PredictionResult predict_buffers(MemoryCase of, const Measurement& row) {
  if (row.gpu_count == 0) return Skipped{msg("buffers of a processor's backend"), ""};
  if (!of.context_known) return Skipped{msg("context not stated"), ""};
  limit_scores(of);
  // One card is a rule; latent attention on several cards depends on settings that rows do not state.
  const Spread spread = !of.latent ? Spread{0.03, 0.05} : of.plan.cards == 1 ? Spread{0.06, 0.12} : Spread{0.35, 0.5};
  return around(buffers_mib(of), spread);
}

PredictionResult predict_total(MemoryCase of) {
  if (!of.format_known) return Skipped{msg("number format not stated"), ""};
  if (!of.context_known) return Skipped{msg("context not stated"), ""};
  for (auto& card : of.cards) card.driver_context = Bytes{};
  limit_scores(of);
  const auto all = estimate(of);
  double sum = 0;
  for (const auto& card : all.cards) sum += card.total().in(units::MiB);
  return around(sum, {0.02, 0.04});
}

/// What the device reports beyond the engine's buffers: contexts of driver and libraries, a desktop, other processes. NVIDIA's
/// figure is that of cards which also show a desktop, as most of those who report such peaks have.
Bytes around_buffers(const Measurement& row, const Catalog& catalog) {
  const auto* gpu = catalog.gpus.find(row.gpu);
  return gpu && gpu->vendor != Vendor::nvidia ? 0.25 * units::GiB : 1.3 * units::GiB;
}

/// The peak that a device reports is in GiB although sources write GB. Programs that report it reserve what the run uses: prompt
/// and answer where they are stated, not the window that could be configured.
PredictionResult predict_peak(MemoryCase of, const Measurement& row, const Catalog& catalog) {
  if (!of.format_known) return Skipped{msg("number format not stated"), ""};
  if (row.prompt && row.generate) of.job.context = std::min(of.job.context, Tokens{*row.prompt + *row.generate});
  for (auto& card : of.cards) card.driver_context = around_buffers(row, catalog);
  const auto all = estimate(of);
  double sum = 0;
  for (const auto& card : all.cards) sum += card.total().in(units::GiB);
  return around(sum, {0.15, 0.2});
}

PredictionResult predict(const Measurement& row, const Catalog& catalog) {
  auto mapped = map_memory_row(row, catalog);
  if (auto* skipped = std::get_if<Skipped>(&mapped)) return *skipped;
  const auto& of = std::get<MemoryCase>(mapped);
  if (row.metric == "weights_mib") return predict_weights(of);
  if (row.metric == "kv_mib") return predict_cache(of);
  if (row.metric == "kv_pool_mib") return predict_pool(of);
  if (row.metric == "compute_buffer_mib") return predict_buffers(of, row);
  if (row.metric == "total_mib") return predict_total(of);
  if (row.metric == "peak_total_gb") return predict_peak(of, row, catalog);
  const auto all = estimate(of);
  if (row.metric == "activation_peak_mib") return around(all.cards.front().activations.in(units::MiB), {0.1, 0.1});
  if (row.metric == "non_torch_mib") return around(all.cards.front().communication.in(units::MiB), {0.1, 0.1});
  if (row.metric == "cuda_graph_mib") return around(all.cards.front().compute_buffer.in(units::MiB), {0.5, 0.5});
  return Skipped{msg("unknown metric"), row.metric};
}

}  // namespace

RowPredictor memory_predictor(const Catalog& catalog) {
  return {"memory", [](const Measurement& row) { return row.kind == "memory"; },
          [&catalog](const Measurement& row) { return predict(row, catalog); }};
}

}  // namespace rigplan
