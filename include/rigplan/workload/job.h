// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rigplan/units/quantity.h"

namespace rigplan {

enum class JobKind { inference, full_finetune, lora, qlora };

/// How weights and work are divided over the cards of one replica. Degrees of 1 mean "not divided".
enum class SplitMode {
  single,  ///< everything on one card
  layer,   ///< whole layers on each card, one after another (llama.cpp's default)
  row,     ///< matrices divided by rows, results gathered on the main card (llama.cpp's older split)
  tensor,  ///< tensor parallel: two all-reduces a layer
};

struct ParallelPlan {
  SplitMode split = SplitMode::single;
  int cards = 1;                   ///< cards of one replica (layer, row, tensor, and pipeline x tensor together)
  int tensor = 1;                  ///< tensor-parallel degree
  int pipeline = 1;                ///< pipeline stages
  int expert = 1;                  ///< expert-parallel degree
  int replicas = 1;                ///< independent copies, or the data-parallel degree in training
  int sharding = 0;                ///< ZeRO stage over the replicas, 0 to 3 (3 is FSDP)
  int shard_cards = 0;             ///< replicas that share one sharded copy (hybrid sharding); 0: all of them
  int interleave = 1;              ///< pipeline: model chunks on each card
  int context = 1;                 ///< context-parallel degree: each card has a part of every sequence
  bool sequence_parallel = false;  ///< the parts between tensor-parallel blocks are divided too
  bool operator==(const ParallelPlan&) const = default;
};

enum class Checkpointing { none, selective, full };
/// Format in which matrices are multiplied in training.
enum class TrainingPrecision { fp32, fp16, bf16, fp8 };
/// What of the optimizer's work lies in host memory.
enum class Offload { none, optimizer, parameters };

/// What a rig is asked to do.
struct Job {
  JobKind kind = JobKind::inference;
  std::string model;  ///< catalog id or path
  std::string weight_format = "Q4_K_M";
  std::string key_format = "F16", value_format = "F16";  ///< of the KV cache
  std::string engine = "llama.cpp";
  std::string engine_date;  ///< of the engine's build: "2024-05"; empty: not stated, taken as recent with a wider range
  // Inference
  Tokens context{8192};  ///< configured window of one user
  int users = 1;         ///< streams at once
  Tokens prompt{512}, generate{512};
  int micro_batch = 512;  ///< rows that one prefill pass takes
  bool flash_attention = true;
  // Training
  Tokens sequence{2048};
  int sequences_per_step = 16;  ///< global batch
  int micro_sequences = 1;      ///< sequences of one micro-step on one replica
  int lora_rank = 16;
  bool lora_all_linear = true;  ///< false: attention projections only
  std::string optimizer = "adamw";
  Checkpointing checkpointing = Checkpointing::full;
  TrainingPrecision precision = TrainingPrecision::bf16;
  bool fp32_master = true;        ///< weights are kept and updated in fp32 (mixed precision); false: everything in `precision`
  bool train_embeddings = false;  ///< with adapters: embedding and head are trained in full too
  Offload offload = Offload::none;
  Tokens tokens_to_train{0};  ///< 0: not asked
};

}  // namespace rigplan
