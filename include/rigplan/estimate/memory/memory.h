// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rigplan/units/range.h"
#include "rigplan/workload/job.h"
#include "rigplan/workload/kv_cache.h"
#include "rigplan/workload/parameters.h"

namespace rigplan {

/// Engines by how they lay out memory.
enum class MemoryEngine {
  llama_cpp,     ///< llama.cpp, Ollama, LM Studio, koboldcpp: buffers reserved at start, embedding in host memory
  ik_llama_cpp,  ///< its fork with latent-attention modes of its own
  paged,         ///< vLLM, SGLang and the like: the rest of the card becomes a pool of cache blocks
  exllama,       ///< ExLlama: as PyTorch, in passes of at most 2,048 tokens
  pytorch,       ///< plain PyTorch programs: what a forward pass allocates
};
/// By the engine's name; anything unknown lays out memory as plain PyTorch does.
MemoryEngine memory_engine(std::string_view engine);

/// What a card offers.
struct CardBudget {
  Bytes vram;            ///< as the driver reports it
  Bytes driver_context;  ///< held by driver, runtime and libraries of one process
  Bytes reserve;         ///< kept free for a desktop and fragmentation
};

/// Where memory of one card goes. In inference activations of a paged engine are its profiled peak; gradients and optimizer
/// are 0.
struct CardMemory {
  Bytes weights, kv_cache, compute_buffer, activations, gradients, optimizer, communication, driver_context;
  Bytes capacity;       ///< vram less reserve
  Range<Bytes> demand;  ///< total() with what is not known exactly at its low and high end

  Bytes total() const {
    return weights + kv_cache + compute_buffer + activations + gradients + optimizer + communication + driver_context;
  }
  Bytes missing() const { return total() > capacity ? total() - capacity : Bytes{}; }
};

enum class Fit {
  yes,    ///< also at the high end of what is needed
  tight,  ///< at the likely need, but not at the high end
  no,
};

struct MemoryEstimate {
  std::vector<CardMemory> cards;      ///< of one replica, in the order of the budgets
  Bytes host;                         ///< embedding, layers and experts left in host memory, their cache, buffers
  Bytes pool;                         ///< paged engines: cache pool of the card with the least
  std::optional<double> pool_tokens;  ///< paged engines: tokens that the cache pool of one replica holds

  Fit fit() const;
  /// Index of the card that misses most, or that has least to spare.
  std::size_t tightest() const;
  Bytes missing() const { return cards.empty() ? Bytes{} : cards[tightest()].missing(); }
};

/// What is known beyond the job; everything may be left out.
struct MemorySetting {
  std::optional<WeightBytes> weights{};  ///< exact bytes of a file; otherwise from the job's weight format
  LatentStorage latent = LatentStorage::compressed;
  int latent_mode = 0;            ///< ik_llama.cpp's -mla 1, 2, 3; 0: not stated
  Bytes attention_limit{};        ///< ik_llama.cpp's -amb; 0: none
  double utilisation = 0.9;       ///< share of a card that a paged engine takes
  double batched_tokens = 0;      ///< of one step of a paged engine; 0: its default (2,048, or 8,192 on cards of 70 GiB and more)
  double sequences = 0;           ///< most streams of a paged engine; 0: its default (256, or 1,024 on such cards)
  double host_layers = 0;         ///< whole layers left in host memory, from the first on
  double host_expert_layers = 0;  ///< of the other layers: those whose routed experts stay in host memory
  bool pipeline_copies = true;    ///< llama.cpp keeps 4 copies of inputs when layers are split over cards without offload
  bool scratch_once = false;      ///< llama.cpp of 2023: one scratch buffer on the main card
  bool full_windows = false;      ///< sliding layers keep the whole context
  bool keeps_cache = true;        ///< PyTorch: false for a forward pass that keeps no keys and values
};

/// Memory of one model and job on any cards. Built once (some microseconds); each question after that takes well below one.
/// Throws std::invalid_argument for an unknown number format.
class PreparedMemory {
 public:
  PreparedMemory(const TransformerModel& model, const Job& job, const MemorySetting& setting = {});

  /// @param cards one per card of a replica, in layer order; one entry stands for all when they are alike
  MemoryEstimate at(const ParallelPlan& plan, std::span<const CardBudget> cards) const {
    return at(plan, cards, context_, users_);
  }
  /// `context` is the window of one user; `users` streams are spread over the plan's replicas.
  MemoryEstimate at(const ParallelPlan& plan, std::span<const CardBudget> cards, Tokens context, int users) const;

  /// The longest window (a multiple of 256) with which `users` streams still fit; 0 when not even 256 do.
  Tokens largest_context(const ParallelPlan& plan, std::span<const CardBudget> cards, int users) const;
  /// The most users with the job's window; 0 when not even one fits.
  int largest_users(const ParallelPlan& plan, std::span<const CardBudget> cards) const;
  /// The fewest layers whose routed experts (`experts_only`), or which whole, must stay in host memory so that the rest fits;
  /// nothing when that does not help either.
  std::optional<double> layers_to_offload(const ParallelPlan& plan, std::span<const CardBudget> cards, bool experts_only) const;

  const WeightBytes& weights() const { return weights_; }
  const TransformerModel& model() const { return model_; }
  const MemorySetting& setting() const { return setting_; }

 private:
  struct Layout {
    const ParallelPlan& plan;
    std::span<const CardBudget> cards;
    const KvCache& cache;
  };
  void lay_out_llama(const Layout&, MemoryEstimate&) const;
  void lay_out_paged(const Layout&, MemoryEstimate&) const;
  void lay_out_pytorch(const Layout&, MemoryEstimate&) const;
  Bytes kv_cache_per_card(const KvCache&, int tensor) const;

  TransformerModel model_;
  MemorySetting setting_;
  MemoryEngine engine_{};
  WeightBytes weights_;
  KvCache cache_;  ///< formats and storage; context and streams are set for each question
  Tokens context_{0};
  int users_ = 1;
  double micro_batch_ = 512;
  bool flash_attention_ = true;
};

/// The same for a single question.
MemoryEstimate estimate_memory(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                               std::span<const CardBudget> cards, const MemorySetting& setting = {});

}  // namespace rigplan
