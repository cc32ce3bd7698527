// SPDX-License-Identifier: Apache-2.0
#include "validate/map_memory_row.h"

#include <algorithm>
#include <cmath>

#include "rigplan/units/message.h"
#include "rigplan/workload/model_library.h"
#include "validate/names.h"

namespace rigplan {
namespace {

// Where the catalog does not know the card.
constexpr Bytes usual_card{24.0 * 1073741824.0};
constexpr Bytes usual_context{0.5 * 1073741824.0};
/// Drivers report a little less than the nominal size: 79.2 of 80 GiB, 23.7 of 24 GiB.
constexpr double visible_share = 0.99;

const GroupedQuery* heads_of(const TransformerModel& model) {
  for (const auto& group : model.groups) {
    if (const auto* heads = std::get_if<GroupedQuery>(&group.attention)) return heads;
    if (const auto* sliding = std::get_if<SlidingWindow>(&group.attention)) return &sliding->heads;
  }
  return nullptr;
}

/// A model whose name says nothing, by the shape that the log prints.
const TransformerModel* find_by_shape(const MemoryNote& note) {
  static ModelLibrary library;
  if (!note.layers || !note.heads || !note.kv_heads || !note.parameters) return nullptr;
  for (const auto& model : library.entries()) {
    const auto* heads = heads_of(model);
    if (!heads || model.layers() != *note.layers || heads->heads != *note.heads || heads->kv_heads != *note.kv_heads) continue;
    if (std::abs(count_parameters(model).total() / *note.parameters - 1) < 0.005) return &model;
  }
  return nullptr;
}

bool has_latent(const TransformerModel& model) {
  return std::ranges::any_of(model.groups, [](const LayerGroup& g) { return std::holds_alternative<Latent>(g.attention); });
}
double expert_layers(const TransformerModel& model) {
  double n = 0;
  for (const auto& group : model.groups) {
    if (std::holds_alternative<MixtureOfExperts>(group.feed_forward)) n += group.count;
  }
  return n;
}

/// "K q8_0 / V f16", "q8_0", "one of K and V q8_0, the other f16".
void read_cache_note(const std::string& text, Job& job) {
  const auto set = [](std::string& target, std::string_view from) {
    if (const auto* format = find_cache_format(from)) target = format->name;
  };
  const auto slash = text.find(" / V ");
  if (text.starts_with("K ") && slash != std::string::npos) {
    set(job.key_format, text.substr(2, slash - 2));
    set(job.value_format, text.substr(slash + 5));
  } else if (text.starts_with("one of K and V ")) {
    set(job.key_format, text.substr(15, text.find(',') - 15));
    set(job.value_format, text.substr(text.find("other ") + 6));
  } else if (!text.empty()) {
    set(job.key_format, text);
    set(job.value_format, text);
  }
}

/// Scales the layers' weights so that the file has its stated size; logs say how many bytes they read.
void use_file_size(const TransformerModel& model, const MemoryNote& note, const std::string& format, MemorySetting& setting) {
  const auto* mix = find_weight_mix(format);
  if (!mix || !note.file) return;
  auto weights = weight_bytes(model, *mix);
  const Bytes fixed = weights.total() - weights.layers();
  const double scale = (*note.file - fixed) / weights.layers();
  // A size that the format cannot explain belongs to another file.
  if (scale < 0.6 || scale > 1.6) return;
  using enum TensorClass;
  for (const auto kind : {attention, recurrent, dense, experts, shared, router, norms}) weights[kind] *= scale;
  setting.weights = weights;
}

/// The fork prints three digits of the parameter count; a latent cache shaped as one head is the mainline's.
MemoryEngine engine_of(const Measurement& row, const MemoryNote& note) {
  const auto engine = memory_engine(row.engine);
  if (engine != MemoryEngine::ik_llama_cpp) return engine;
  const bool mainline_head = note.kv_heads == 1 && note.head_size.value_or(0) >= 512;
  return note.parameter_digits == 2 || mainline_head ? MemoryEngine::llama_cpp : engine;
}

void place_experts(const MemoryCase& from, MemorySetting& setting, const PreparedMemory& memory) {
  Bytes room, printed;
  for (const auto& card : from.cards) room += card.vram;
  for (const double mib : from.note.card_weights) printed += mib * units::MiB;
  const Bytes file = memory.weights().total();
  const bool complete = from.note.card_weights.size() == from.cards.size();
  if (expert_layers(*from.model) == 0) return;
  if (file > room || (complete && printed < 0.9 * file)) {
    const Bytes left = complete ? file - printed : file - 0.9 * room;
    const double share = std::clamp(left / memory.weights()[TensorClass::experts], 0.0, 1.0);
    setting.host_expert_layers = std::max(1.0, share * expert_layers(*from.model));
  }
}

/// The context that a printed cache of known storage belongs to.
std::optional<double> context_of_cache(const MemoryCase& from, const PreparedMemory&) {
  double mib = 0;
  for (const double one : from.note.card_caches) mib += one;
  if (mib <= 0 || from.note.host_cache) return std::nullopt;
  KvCache cache{.context = Tokens{1},
                .key_format = find_number_format(from.job.key_format),
                .value_format = find_number_format(from.job.value_format),
                .latent = from.setting.latent};
  const Bytes per_token = kv_bytes_per_token(*from.model, cache);
  if (per_token <= Bytes{}) return std::nullopt;
  return std::round(mib * units::MiB / per_token);
}

void read_cards(const Measurement& row, const Catalog& catalog, MemoryCase& out) {
  CardBudget budget{usual_card, usual_context, Bytes{}};
  const auto* gpu = catalog.gpus.find(row.gpu);
  out.device_known = gpu != nullptr;
  if (gpu) {
    budget.vram = visible_share * gpu->vram;
    if (const auto* architecture = catalog.architectures.find(gpu->architecture);
        architecture && architecture->driver_context > Bytes{}) {
      budget.driver_context = architecture->driver_context;
    }
  }
  const int count = std::max(1, row.gpu_count.value_or(1));
  out.plan.cards = count;
  out.cards.assign(static_cast<std::size_t>(count), budget);
  if (row.parallel == "tensor") {
    out.plan.split = SplitMode::tensor;
    out.plan.tensor = count;
  } else if (count > 1) {
    out.plan.split = out.note.scratch_once ? SplitMode::row : SplitMode::layer;
  }
}

}  // namespace

std::variant<MemoryCase, Skipped> map_memory_row(const Measurement& row, const Catalog& catalog) {
  MemoryCase out;
  out.note = read_memory_note(row.note);
  out.model = find_model(row.model);
  if (!out.model) out.model = find_by_shape(out.note);
  if (!out.model) return Skipped{msg("unknown model"), row.model};
  out.latent = has_latent(*out.model);

  switch (engine_of(row, out.note)) {
    case MemoryEngine::llama_cpp:
      out.job.engine = "llama.cpp";
      break;
    case MemoryEngine::ik_llama_cpp:
      out.job.engine = "ik_llama.cpp";
      break;
    case MemoryEngine::paged:
      out.job.engine = "vLLM";
      break;
    case MemoryEngine::exllama:
      out.job.engine = "exllamav2";
      break;
    case MemoryEngine::pytorch:
      out.job.engine = "pytorch";
      break;
  }
  const auto* mix = find_mix(row.quant, row.engine);
  // GPT-OSS and its like are published in MXFP4; a row that only says "MoE" means the published file.
  if (!mix && row.quant.starts_with("MoE")) mix = find_weight_mix("MXFP4");
  out.format_known = mix != nullptr;
  out.job.weight_format = mix ? std::string{mix->name} : "F16";
  read_cache_note(row.kv_quant, out.job);
  out.job.micro_batch = static_cast<int>(out.note.micro_batch.value_or(512));
  // Fused attention became the default in the summer of 2025; before that only latent models were mostly run with it.
  out.job.flash_attention = out.note.flash_attention.value_or(row.engine_date >= "2025-08" || out.latent);
  const auto context = out.note.context ? out.note.context : row.context;
  out.setting.latent = out.note.latent.value_or(LatentStorage::compressed);
  out.setting.latent_mode = out.note.latent_mode.value_or(0);
  out.setting.scratch_once = out.note.scratch_once;
  out.setting.full_windows = out.note.full_windows;
  out.setting.utilisation = out.note.utilisation.value_or(0.9);
  out.setting.keeps_cache = row.note.find("no KV cache") == std::string::npos;
  out.storage_known = !out.latent || out.note.latent.has_value();
  out.pool_tokens = out.note.pool_tokens.value_or(0);
  read_cards(row, catalog, out);
  use_file_size(*out.model, out.note, out.job.weight_format, out.setting);

  out.job.context = Tokens{context.value_or(0)};
  const PreparedMemory memory{*out.model, out.job, out.setting};
  out.context_known = context && *context > 0;
  if (!out.context_known) {
    if (const auto found = context_of_cache(out, memory)) {
      out.job.context = Tokens{*found};
      out.context_known = true;
    }
  }
  place_experts(out, out.setting, memory);
  out.cards_with_cache = out.plan.cards;
  if (out.note.card_weights.size() == out.cards.size() && !out.note.card_caches.empty()) {
    out.cards_with_cache = static_cast<int>(std::min(out.note.card_caches.size(), out.cards.size()));
  }
  return out;
}

}  // namespace rigplan
