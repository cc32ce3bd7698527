// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/memory/memory.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string>

#include "estimate/memory/card_shares.h"
#include "estimate/memory/engine_peaks.h"
#include "estimate/memory/llama_buffers.h"

namespace rigplan {
namespace {

using enum TensorClass;

const NumberFormat& format_or_throw(const std::string& name) {
  const auto* format = find_number_format(name);
  if (!format) throw std::invalid_argument("unknown number format \"" + name + "\"");
  return *format;
}

/// What is not known exactly, as factors on the parts: files differ a little from the rule, buffers and contexts more.
Range<Bytes> demand_of(const CardMemory& card, bool exact_weights) {
  const double file = exact_weights ? 0 : 0.02;
  const auto at = [&](double weights, double buffers, double context) {
    return (1 + weights) * card.weights + card.kv_cache + (1 + buffers) * (card.compute_buffer + card.activations) +
           (1 + context) * (card.driver_context + card.communication);
  };
  return {at(-file, -0.15, -0.5), card.total(), at(file, 0.35, 0.5)};
}

Bytes capacity_of(const CardBudget& budget) { return budget.vram - budget.reserve; }

}  // namespace

MemoryEngine memory_engine(std::string_view engine) {
  std::string name;
  for (const char c : engine) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  if (has("ik_llama") || has("ik-llama")) return MemoryEngine::ik_llama_cpp;
  for (const auto* part : {"llama.cpp", "llama-cpp", "ollama", "kobold", "lm studio", "lmstudio", "llamafile", "gguf"}) {
    if (has(part)) return MemoryEngine::llama_cpp;
  }
  for (const auto* part : {"vllm", "sglang", "tensorrt", "trt-llm", "lmdeploy", "aphrodite", "tgi", "mlc"}) {
    if (has(part)) return MemoryEngine::paged;
  }
  if (has("exl")) return MemoryEngine::exllama;
  return MemoryEngine::pytorch;
}

Fit MemoryEstimate::fit() const {
  auto worst = Fit::yes;
  for (const auto& card : cards) {
    if (card.total() > card.capacity) return Fit::no;
    if (card.demand.high > card.capacity) worst = Fit::tight;
  }
  return worst;
}

std::size_t MemoryEstimate::tightest() const {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < cards.size(); ++i) {
    if (cards[i].total() - cards[i].capacity > cards[worst].total() - cards[worst].capacity) worst = i;
  }
  return worst;
}

PreparedMemory::PreparedMemory(const TransformerModel& model, const Job& job, const MemorySetting& setting)
    : model_{model}, setting_{setting}, engine_{memory_engine(job.engine)}, context_{job.context}, users_{job.users} {
  if (setting.weights) {
    weights_ = *setting.weights;
  } else {
    const auto* mix = find_weight_mix(job.weight_format);
    if (!mix) throw std::invalid_argument("unknown number format \"" + job.weight_format + "\"");
    weights_ = weight_bytes(model, *mix);
  }
  cache_.key_format = &format_or_throw(job.key_format);
  cache_.value_format = &format_or_throw(job.value_format);
  cache_.latent = setting.latent;
  cache_.full_windows = setting.full_windows;
  micro_batch_ = job.micro_batch;
  // Values in a block format can only be used by the fused kernels.
  flash_attention_ = job.flash_attention || cache_.value_format->block > 1;
}

MemoryEstimate PreparedMemory::at(const ParallelPlan& plan, std::span<const CardBudget> budgets, Tokens context,
                                  int users) const {
  const auto count = static_cast<std::size_t>(std::max(1, plan.cards));
  std::vector<CardBudget> same;
  if (budgets.size() != count) {
    if (budgets.size() != 1) throw std::invalid_argument("one budget for each card of a replica is needed");
    same.assign(count, budgets.front());
    budgets = same;
  }
  auto cache = cache_;
  cache.context = context;
  cache.streams = (users + std::max(1, plan.replicas) - 1) / std::max(1, plan.replicas);
  const Layout layout{plan, budgets, cache};
  MemoryEstimate estimate;
  estimate.cards.resize(count);
  switch (engine_) {
    case MemoryEngine::llama_cpp:
    case MemoryEngine::ik_llama_cpp:
      lay_out_llama(layout, estimate);
      break;
    case MemoryEngine::paged:
      lay_out_paged(layout, estimate);
      break;
    case MemoryEngine::exllama:
    case MemoryEngine::pytorch:
      lay_out_pytorch(layout, estimate);
      break;
  }
  for (std::size_t i = 0; i < count; ++i) {
    auto& card = estimate.cards[i];
    card.capacity = capacity_of(budgets[i]);
    card.demand = demand_of(card, setting_.weights.has_value() || !model_.file_weights.empty());
  }
  return estimate;
}

void PreparedMemory::lay_out_llama(const Layout& layout, MemoryEstimate& estimate) const {
  const int layers = model_.layers(), cards = static_cast<int>(layout.cards.size());
  const double on_host = std::clamp(setting_.host_layers, 0.0, static_cast<double>(layers));
  const double on_cards = layers - on_host;
  const bool whole = on_host == 0;
  const double expert_host_share = on_cards > 0 ? std::min(1.0, setting_.host_expert_layers / on_cards) : 0;

  auto cache = layout.cache;
  // Sliding layers keep room for a micro-batch; the size is rounded up to 256.
  cache.window_slack = Tokens{micro_batch_};
  const Bytes cache_all = kv_cache_bytes(model_, cache);
  const Bytes head = model_.tied_embeddings ? weights_[embedding] : weights_[TensorClass::head];
  const Bytes experts_all = weights_[experts];
  const Bytes rest_all = weights_.layers() - experts_all;

  double expert_layers = 0;
  for (const auto& group : model_.groups) {
    if (std::holds_alternative<MixtureOfExperts>(group.feed_forward)) expert_layers += group.count;
  }
  LlamaBufferCase of{.engine = engine_,
                     .micro_batch = std::min(micro_batch_, cache.context.in(units::token)),
                     .context = cache.context.in(units::token),
                     .cards = cards,
                     .flash_attention = flash_attention_,
                     .experts_on_host = setting_.host_expert_layers > 0 || !whole,
                     .pipeline_copies = setting_.pipeline_copies,
                     .dequantised_cache = cache.key_format->block > 1,
                     .latent = cache.latent,
                     .latent_mode = setting_.latent_mode,
                     .attention_limit = setting_.attention_limit,
                     .expert_tensor = expert_layers > 0 ? experts_all / (3 * expert_layers) : Bytes{}};
  const auto buffers = llama_buffers(model_, of);
  const Bytes scratch = llama_scratch_2023(model_, of.micro_batch, of.context);

  const auto dealt = layers_by_capacity(layers, layout.cards);
  const bool by_rows = layout.plan.split == SplitMode::row || layout.plan.split == SplitMode::tensor;
  for (std::size_t i = 0; i < layout.cards.size(); ++i) {
    auto& card = estimate.cards[i];
    const bool first = i == 0, last = i + 1 == layout.cards.size();
    const double share = static_cast<double>(dealt[i]) / layers * (on_cards / layers);
    const bool has_head = whole && (by_rows ? first : last);
    const bool has_layers = by_rows ? first || layout.plan.split == SplitMode::tensor : dealt[i] > 0;
    card.weights = share * (rest_all + (1 - expert_host_share) * experts_all);
    if (by_rows)
      card.weights += share * (whole ? head : Bytes{});
    else if (has_head)
      card.weights += head;
    card.kv_cache = layout.plan.split == SplitMode::row ? (first ? on_cards / layers * cache_all : Bytes{}) : share * cache_all;
    card.compute_buffer = setting_.scratch_once ? (first ? scratch : Bytes{}) : buffers.on_card(has_layers, has_head, first);
    card.driver_context = layout.cards[i].driver_context;
  }
  estimate.host = weights_[embedding] + on_host / layers * (weights_.layers() + cache_all) +
                  on_cards / layers * expert_host_share * experts_all + (whole ? Bytes{} : head);
}

void PreparedMemory::lay_out_paged(const Layout& layout, MemoryEstimate& estimate) const {
  const int cards = static_cast<int>(layout.cards.size());
  const int tensor =
      std::max(1, layout.plan.split == SplitMode::tensor ? std::max(layout.plan.tensor, cards / std::max(1, layout.plan.pipeline))
                                                         : layout.plan.tensor);
  const double stages = static_cast<double>(cards) / tensor;
  // Norms and routers stand on every card of a tensor group; key and value heads too where there are fewer of them than cards.
  const Bytes replicated = weights_[norms] + weights_[router];
  const Bytes divided = weights_.total() - replicated;
  auto cache = layout.cache;
  const Bytes need = kv_cache_per_card(cache, tensor) / stages;
  auto one = cache;
  one.streams = 1;
  one.context = Tokens{1};
  Bytes least_pool{1e30};
  for (std::size_t i = 0; i < layout.cards.size(); ++i) {
    const auto& budget = layout.cards[i];
    auto& card = estimate.cards[i];
    const bool large = budget.vram >= 70 * units::GiB;
    const double tokens = setting_.batched_tokens > 0 ? setting_.batched_tokens : large ? 8192 : 2048;
    const double sequences = setting_.sequences > 0 ? setting_.sequences : large ? 1024 : 256;
    card.weights = divided / tensor / stages + replicated / stages;
    card.activations = paged_activation_peak(model_, tokens, sequences);
    card.communication = paged_non_torch(cards);
    card.compute_buffer = paged_graphs(model_);
    card.kv_cache = need;
    card.driver_context = budget.driver_context;
    // The pool is what the utilisation leaves; graphs are captured after it is sized.
    const Bytes pool = setting_.utilisation * budget.vram - card.weights - card.activations - card.communication;
    least_pool = std::min(least_pool, pool);
  }
  const Bytes per_token = kv_cache_per_card(one, tensor) / stages;
  if (per_token > Bytes{}) estimate.pool_tokens = std::max(0.0, least_pool / per_token);
  estimate.pool = std::max(Bytes{}, least_pool);
}

Bytes PreparedMemory::kv_cache_per_card(const KvCache& cache, int tensor) const {
  Bytes sum;
  for (const auto& group : model_.groups) {
    double share = 1.0 / tensor;
    const auto* heads = std::get_if<GroupedQuery>(&group.attention);
    if (const auto* sliding = std::get_if<SlidingWindow>(&group.attention)) heads = &sliding->heads;
    // Heads are not divided further than to one a card; a latent vector serves all heads and is on every card.
    if (heads) share = static_cast<double>((heads->kv_heads + tensor - 1) / tensor) / heads->kv_heads;
    if (std::holds_alternative<Latent>(group.attention)) share = 1;
    sum += group.count * share * kv_cache_bytes(group.attention, cache);
  }
  return sum;
}

void PreparedMemory::lay_out_pytorch(const Layout& layout, MemoryEstimate& estimate) const {
  const auto cards = static_cast<double>(layout.cards.size());
  const bool tensor = layout.plan.split == SplitMode::tensor;
  const Bytes cache_all = kv_cache_bytes(model_, layout.cache);
  // ExLlama's max_input_len, as its configuration has it; longer prompts pass in pieces.
  const double most_rows = engine_ == MemoryEngine::exllama ? 2048 : 1e18;
  const double rows = std::min(layout.cache.context.in(units::token), most_rows);
  for (std::size_t i = 0; i < layout.cards.size(); ++i) {
    auto& card = estimate.cards[i];
    card.weights = weights_.total() / cards;
    card.kv_cache =
        setting_.keeps_cache ? (tensor ? kv_cache_per_card(layout.cache, static_cast<int>(cards)) : cache_all / cards) : Bytes{};
    card.activations = pytorch_forward_peak(model_, rows);
    card.communication = cards > 1 ? paged_non_torch(2) : Bytes{};
    card.driver_context = layout.cards[i].driver_context;
  }
}

MemoryEstimate estimate_memory(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                               std::span<const CardBudget> cards, const MemorySetting& setting) {
  return PreparedMemory{model, job, setting}.at(plan, cards);
}

}  // namespace rigplan
