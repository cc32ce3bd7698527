// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/training_stack.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "catalog/shelf_reader.h"
#include "rigplan/json/embedded_data.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

constexpr std::string_view file_name = "data/training_stacks.json";
constexpr std::string_view mixed_names[] = {"autocast", "master copy"};
constexpr std::string_view loss_names[] = {"whole", "chunked", "fused"};
constexpr std::string_view kernel_names[] = {"eager", "framework", "compiled", "fused"};
constexpr std::string_view attention_names[] = {"earlier chips", "own chip"};
constexpr std::string_view recompute_names[] = {"none", "selective", "full"};
constexpr std::string_view gather_names[] = {"prefetching", "plain", "per parameter"};

void read_stack(EntryReader& reader, TrainingStack& stack) {
  reader.optional("mixed", stack.mixed, mixed_names);
  reader.optional("gradient_bytes", stack.gradient_bytes, 1.0, 8.0);
  reader.optional("norm_extra_bytes", stack.norm_extra_bytes, 0.0, 32.0);
  reader.optional("fused_attention", stack.fused_attention);
  reader.optional("repeats_kv", stack.repeats_kv);
  reader.optional("loss", stack.loss, loss_names);
  reader.optional("logit_bytes", stack.logit_bytes, 0.0, 32.0);
  reader.optional("quantised_logit_bytes", stack.quantised_logit_bytes, 0.0, 32.0);
  reader.optional("mixed_logit_bytes", stack.mixed_logit_bytes, 0.0, 32.0);
  reader.optional("frozen_input_bytes", stack.frozen_input_bytes, 0.0, 8.0);
  reader.optional("dequantised_extra_bytes", stack.dequantised_extra_bytes, 0.0, 32.0);
  reader.optional("adapter_bytes", stack.adapter_bytes, 1.0, 8.0);
  reader.optional("double_quantisation", stack.double_quantisation);
  reader.optional("quantises_head", stack.quantises_head);
  reader.optional("unties_head", stack.unties_head);
  reader.optional("checkpoints_on_host", stack.checkpoints_on_host);
  reader.optional("optimizer_in_backward", stack.optimizer_in_backward);
  if (const auto program = reader.optional("program")) stack.program = read_within(*program, Bytes{}, 64 * GiB);
  reader.optional("reserved_over_allocated", stack.reserved_over_allocated, 1.0, 2.0);
  reader.optional("kernels", stack.kernels, kernel_names);
  reader.optional("attention_kernels", stack.attention_kernels, attention_names);
  reader.optional("gathers", stack.gathers, gather_names);
  reader.optional("overlaps_tensor", stack.overlaps_tensor);
  reader.optional("default_checkpointing", stack.default_checkpointing, recompute_names);
  reader.optional("default_mixed", stack.default_mixed);
  reader.optional("default_rank", stack.default_rank, 1, 4096);
  reader.optional("default_all_linear", stack.default_all_linear);
  reader.optional("default_base", stack.default_base);
  const auto read_tokens = [&](const char* field, Tokens& tokens) {
    int count = 0;
    reader.optional(field, count, 1, 1 << 24);
    if (count > 0) tokens = Tokens{static_cast<double>(count)};
  };
  read_tokens("default_sequence", stack.default_sequence);
  read_tokens("default_card_tokens", stack.default_card_tokens);
}

}  // namespace

std::vector<TrainingStack> read_training_stacks(const JsonFile& file) {
  ObjectReader root{Cursor{file}};
  root.optional("schema");
  const SourceTable sources{root.optional("sources")};
  std::vector<TrainingStack> stacks;
  read_shelf(file, root.required("training_stacks"), sources, stacks, read_stack);
  root.finish();
  return stacks;
}

std::vector<TrainingStack> built_in_training_stacks() {
  for (const auto& file : embedded_files())
    if (file.name == file_name) return read_training_stacks(JsonFile::read(file));
  throw std::logic_error{"no training stacks in the program"};
}

const TrainingStack* find_training_stack(std::span<const TrainingStack> stacks, std::string_view name) {
  const auto found = std::find_if(stacks.begin(), stacks.end(), [&](const TrainingStack& stack) {
    return same_name(stack.id, name) || same_name(stack.name, name) ||
           std::any_of(stack.aliases.begin(), stack.aliases.end(), [&](const std::string& a) { return same_name(a, name); });
  });
  return found == stacks.end() ? nullptr : &*found;
}

}  // namespace rigplan
