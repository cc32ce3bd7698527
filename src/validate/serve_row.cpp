// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/serve_row.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "rigplan/units/message.h"
#include "validate/names.h"
#include "validate/row_text.h"

namespace rigplan {
namespace {

/// Of the links' bandwidth; the constants of serving are fitted relative to this.
constexpr double peer_share = 0.77;
/// A benchmark that draws lengths from 0.8 to 1 of the stated ones says so in its name.
constexpr double mean_length = 0.9;

GroupFabric peer_links(const Gpu& gpu, int cards) {
  GroupFabric fabric;
  fabric.cards = cards;
  if (cards < 2) return fabric;
  const bool peers = gpu.peer_ports.has_value();
  fabric.kind = peers ? LinkClass::nvswitch : LinkClass::pcie_staged;
  fabric.all_reduce_bus = peers ? peer_share * gpu.peer_ports->links * gpu.peer_ports->per_link : 12 * GB_per_s;
  fabric.all_reduce_latency = peers ? 6 * us : 20 * us;
  return fabric;
}

std::string format_of(const Measurement& row, const TransformerModel& model) {
  if (!model.published_format.empty()) return model.published_format;
  const auto text = lower_case(row.quant);
  if (text.starts_with("int4")) return std::string{find_mix("AWQ-4bit")->name};
  const auto* mix = find_mix(row.quant, row.engine);
  return mix ? std::string{mix->name} : std::string{};
}

/// Caches in 8 bit: what TensorRT-LLM does by itself with quantised checkpoints, and what published recipes of dense models on
/// vLLM set. No row states it.
bool assumes_fp8_cache(const std::string& engine, const std::string& quant, bool published_recipe,
                       const TransformerModel& model) {
  const bool quantised = has_word(quant, "fp8") || has_word(quant, "fp4");
  const bool dense = std::ranges::all_of(
      model.groups, [](const LayerGroup& g) { return std::holds_alternative<DenseFeedForward>(g.feed_forward); });
  return (engine == "trtllm" && quantised && model.published_format.empty()) ||
         (engine == "vllm" && quantised && published_recipe && dense);
}

/// A short campaign sends all its requests at once; a long one, dated, keeps a steady number in flight, and so does one whose
/// number was not set (to a power of two) but found at a steady rate of requests.
bool starts_together(const Measurement& row, const std::string& note) {
  return !number_after(note, "measured ") && std::has_single_bit(static_cast<unsigned>(*row.batch));
}

}  // namespace

bool is_serve_row(const Measurement& row) {
  return row.kind == "serve" && (row.metric == "ttft_ms" || row.metric == "tpot_ms") && row.batch && row.prompt && row.generate;
}

std::variant<ServeRow, Skipped> map_serve_row(const Measurement& row, const Catalog& catalog) {
  const auto* gpu = catalog.gpus.find(row.gpu);
  if (!gpu) return Skipped{msg("unknown card"), row.gpu};
  const auto* model = find_model(row.model);
  if (!model) return Skipped{msg("unknown model"), row.model};
  const auto note = lower_case(row.note), plan = lower_case(row.parallel), engine = lower_case(row.engine);
  ServeRow out;
  out.row = &row;
  Job job;
  job.weight_format = format_of(row, *model);
  if (job.weight_format.empty()) return Skipped{msg("unknown number format"), row.quant};
  const bool drawn = has_word(note, "inferencex");
  const std::string name = engine.substr(0, engine.find(' '));
  job.key_format = job.value_format = assumes_fp8_cache(name, lower_case(row.quant), drawn, *model) ? "FP8" : "F16";

  const int cards = row.gpu_count.value_or(1);
  auto& s = out.setup;
  s.tensor = std::clamp(static_cast<int>(number_after(plan, "tp").value_or(cards)), 1, cards);
  s.groups = std::max(1, cards / s.tensor);
  s.model = served_model(*model, job, s.tensor);
  s.card = card_speed(*gpu, catalog.architectures.find(gpu->architecture));
  s.fabric = peer_links(*gpu, s.tensor);
  const double share = drawn ? mean_length : 1;
  out.prompt = Tokens{share * *row.prompt};
  out.generate = Tokens{share * *row.generate};
  out.users = *row.batch;
  s.starts_together = starts_together(row, note);
  s.prompts_first = name == "sglang";
  out.levels = serving_levels(name, s.card.family, s.model.dense_class, s.model.expert_class, s.starts_together);
  return out;
}

double serve_metric(const ServeRow& row, const ServingPoint& point) {
  return row.row->metric == "tpot_ms" ? point.per_token.likely.in(ms) : point.first_token.likely.in(ms);
}

RowPredictor serve_predictor(const Catalog& catalog, const Calibration& calibration) {
  const auto predict = [&catalog, &calibration](const Measurement& measured) -> PredictionResult {
    auto mapped = map_serve_row(measured, catalog);
    if (const auto* skipped = std::get_if<Skipped>(&mapped)) return *skipped;
    auto& row = std::get<ServeRow>(mapped);
    row.setup.constants = serving_constants(calibration, row.levels);
    const auto point = serve_at(row.setup, row.prompt, row.generate, row.users);
    if (point.running < 1) return Skipped{msg("does not fit"), ""};
    const auto& spread = calibration.spread(measured.metric == "tpot_ms" ? "tpot" : "ttft", "known");
    const double likely = serve_metric(row, point);
    return Prediction{std::exp(spread.low) * likely, likely, std::exp(spread.high) * likely};
  };
  return {"serve", is_serve_row, predict};
}

}  // namespace rigplan
