// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "rigplan/simulate/serving.h"
#include "rigplan/workload/kv_cache.h"
#include "rigplan/workload/matrices.h"
#include "rigplan/workload/parameters.h"

namespace rigplan {
namespace {

std::string class_of(double bytes, std::string_view mix) {
  if (bytes > 1.5) return "bf16";
  if (bytes > 0.9) return "fp8";
  if (mix.find("NVFP4") != mix.npos) return "nvfp4";
  if (mix.find("MXFP4") != mix.npos) return "mxfp4";
  if (mix.find("FP4") != mix.npos) return "fp4";
  return "int4";
}

struct Heads {
  double shared = 1;  ///< parts in which the cache can be divided
  double width = 0;   ///< keys and values over all query heads
  double window = 0;
  bool latent = false, indexer = false;
  double state = 0;
};
struct HeadsOf {
  Heads operator()(const GroupedQuery& a) const {
    return {static_cast<double>(std::max(1, a.kv_heads)),
            static_cast<double>(a.heads) * (a.head_size + a.value_size),
            0,
            false,
            false,
            0};
  }
  Heads operator()(const SlidingWindow& a) const {
    auto heads = (*this)(a.heads);
    heads.window = a.window;
    return heads;
  }
  Heads operator()(const Latent& a) const {
    return {1, static_cast<double>(a.heads) * (a.nope_size + a.rope_size + a.value_size), 0, true, a.index_heads > 0, 0};
  }
  Heads operator()(const Recurrent& a) const { return {1, 0, 0, false, false, a.state_elements}; }
};

double format_bytes(const std::string& name) {
  const auto* format = find_number_format(name);
  if (!format) throw std::invalid_argument{"no number format \"" + name + "\""};
  return format->bits_per_value() / 8;
}

ServedLayers layers_of(const LayerGroup& group, const Job& job, int tensor) {
  ServedLayers out;
  out.count = group.count;
  const auto heads = std::visit(HeadsOf{}, group.attention);
  const auto width = kv_width(group.attention);
  const double divided = std::min<double>(tensor, heads.shared);
  out.cache_bytes = (width.keys * format_bytes(job.key_format) + width.values * format_bytes(job.value_format)) / divided;
  out.state_bytes = 4 * heads.state / tensor;
  out.attention_width = heads.width;
  out.window = heads.window;
  out.latent = heads.latent;
  out.indexer = heads.indexer;
  if (const auto* mix = std::get_if<MixtureOfExperts>(&group.feed_forward)) {
    out.experts = mix->experts;
    out.active = mix->active;
  }
  return out;
}

}  // namespace

double ServedModel::total_layers() const {
  double n = 0;
  for (const auto& group : layers) n += group.count;
  return n;
}

ServedModel served_model(const TransformerModel& model, const Job& job, int tensor) {
  const auto* mix = find_weight_mix(job.weight_format);
  if (!mix) throw std::invalid_argument{"no weight format \"" + job.weight_format + "\""};
  ServedModel out;
  for (const auto& group : model.groups) out.layers.push_back(layers_of(group, job, tensor));
  for (const auto& m : matrices(model)) {
    if (m.group < 0 || m.kind == TensorClass::norms) continue;
    auto& layer = out.layers[static_cast<std::size_t>(m.group)];
    if (m.kind == TensorClass::experts)
      layer.expert_weights += m.values() / (layer.count * layer.experts);
    else
      layer.dense_weights += m.values() / layer.count;
  }
  const auto count = count_parameters(model);
  const auto bytes = weight_bytes(model, *mix);
  const auto mean = [&](std::initializer_list<TensorClass> kinds) {
    double weights = 0, stored = 0;
    for (const auto kind : kinds) weights += count[kind], stored += bytes[kind].in(byte);
    return weights > 0 ? stored / weights : 0;
  };
  using enum TensorClass;
  out.dense_bytes = mean({attention, recurrent, dense, shared});
  out.expert_bytes = mean({experts});
  out.head_bytes = mean({head}) > 0 ? mean({head}) : mean({embedding});
  out.hidden = model.hidden;
  out.head_weights = static_cast<double>(model.hidden) * model.vocabulary;
  out.dense_class = class_of(out.dense_bytes, mix->name);
  if (count[experts] > 0) out.expert_class = class_of(out.expert_bytes, mix->name);
  return out;
}

ServingSetup prepare_serving(const TransformerModel& model, const Job& job, const ParallelPlan& plan, const CardSpeed& card,
                             const GroupFabric& fabric, const Calibration& calibration, std::string_view engine,
                             bool starts_together) {
  ServingSetup setup;
  setup.tensor = std::max(1, plan.tensor);
  setup.model = served_model(model, job, setup.tensor);
  setup.card = card;
  setup.fabric = fabric;
  setup.replicas = std::max(1, plan.replicas);
  const auto levels = serving_levels(engine, card.family, setup.model.dense_class, setup.model.expert_class, starts_together);
  setup.constants = serving_constants(calibration, levels);
  const bool known =
      calibration.known.contains("family:" + card.family) && calibration.known.contains("engine:" + std::string{engine});
  setup.step_spread = calibration.spread("tpot", known ? "known" : "unknown");
  setup.first_spread = calibration.spread("ttft", known ? "known" : "unknown");
  return setup;
}

}  // namespace rigplan
