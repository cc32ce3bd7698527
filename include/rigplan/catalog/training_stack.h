// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

class JsonFile;

/// Where mixed precision keeps the 16-bit weights that the matrices are multiplied with.
enum class MixedStyle {
  autocast,     ///< fp32 weights and gradients; 16-bit casts are made and cached during the forward pass
  master_copy,  ///< 16-bit weights and an fp32 copy beside the optimizer's moments
};
/// How much of the logits exists at once.
enum class LossStyle {
  whole,    ///< logits of all positions, and what cross entropy makes of them
  chunked,  ///< a slice of positions at a time; the gradient of the logits is kept whole
  fused,    ///< one kernel from hidden state to loss; no logits
};
/// How the kernels between the matrices are made; decides launches and passes through memory.
enum class KernelStyle { eager, framework, compiled, fused };
/// Which activations a program computes again when nobody says anything.
enum class RecomputeHabit { none, selective, full };
/// Which instructions a fused attention uses: those of 2020's chips on all later ones too, or those of the chip at hand.
enum class AttentionKernels { earlier_chips, own_chip };
/// How far the gathers of a sharded model overlap with the arithmetic.
enum class GatherStyle { prefetching, plain, per_parameter };

/// Habits of a training program that decide memory and time; data, not code. One entry a program.
struct TrainingStack : Entry {
  MixedStyle mixed = MixedStyle::autocast;
  double gradient_bytes = 4;    ///< of a gradient in mixed precision with a master copy
  double norm_extra_bytes = 0;  ///< kept by one norm besides its input, per hidden value and token
  bool fused_attention = true;  ///< no matrix of scores is kept
  bool repeats_kv = false;      ///< keys and values are copied to every query head
  LossStyle loss = LossStyle::whole;
  double logit_bytes = 8;              ///< per vocabulary entry and token, all in 16 bit
  double quantised_logit_bytes = 8;    ///< the same over a quantised base model
  double mixed_logit_bytes = 12;       ///< the same under autocast
  double frozen_input_bytes = 0;       ///< kept by each frozen matrix without an adapter, per input value and token
  double dequantised_extra_bytes = 0;  ///< kept by quantised matrices, per inner value of the feed-forward part and token
  double adapter_bytes = 4;            ///< of an adapter's weight, and of its gradient and each moment
  bool double_quantisation = false;    ///< nf4: the scales are quantised too
  bool quantises_head = false;
  bool unties_head = false;  ///< a tied head gets a matrix of its own
  bool checkpoints_on_host = false;
  bool optimizer_in_backward = false;  ///< each gradient is used and freed as soon as it is there
  Bytes program;                       ///< held by the program besides the tensors counted here
  double reserved_over_allocated = 1;  ///< of the allocator, where the figure reported is "reserved"
  KernelStyle kernels = KernelStyle::eager;
  AttentionKernels attention_kernels = AttentionKernels::own_chip;
  GatherStyle gathers = GatherStyle::plain;
  bool overlaps_tensor = false;  ///< matrices and the all-reduces of tensor parallel run in parts beside each other

  // What its own scripts do where nobody says otherwise.
  RecomputeHabit default_checkpointing = RecomputeHabit::none;
  bool default_mixed = true;         ///< full training in mixed precision
  int default_rank = 16;             ///< of adapters
  bool default_all_linear = true;    ///< adapters on every matrix of the layers
  std::string default_base = "NF4";  ///< format of a quantised base model
  Tokens default_sequence{0};        ///< 0: none
  Tokens default_card_tokens{0};     ///< of one step on one card, in four micro-batches; 0: none
};

/// Reads a file of training stacks. @throws DataError
std::vector<TrainingStack> read_training_stacks(const JsonFile& file);
/// The stacks compiled into the program.
std::vector<TrainingStack> built_in_training_stacks();
/// By id, name or alias without regard to case; nullptr when there is none.
const TrainingStack* find_training_stack(std::span<const TrainingStack>, std::string_view name);

}  // namespace rigplan
