// SPDX-License-Identifier: Apache-2.0
// Doubts about programs: what they lack on a chip, and what rates depend on.
#include <algorithm>

#include "rigplan/search/software.h"
#include "rigplan/workload/number_format.h"
#include "search/warning_rules.h"

namespace rigplan {
namespace {

/// What a chip lacks is a doubt only where the job asks for it.
void rules_of_chip(const WarningFacts& facts, const Architecture& architecture, WarningCodes& codes) {
  const auto& job = facts.query.job;
  const auto* mix = find_weight_mix(job.weight_format);
  for (const auto& code : architecture.warnings)
    if (code != "W_NO_BF16" && code != "W_NO_FP8" && code != "W_FP16_CRIPPLED") codes.insert(code);
  const bool trains = asks_training(facts);
  const bool wants_bf16 = trains ? job.precision == TrainingPrecision::bf16 : mix && mix->kind == FormatClass::bf16;
  if (wants_bf16 && !architecture.native_bf16) codes.insert("W_NO_BF16");
  const bool wants_fp8 = trains ? job.precision == TrainingPrecision::fp8 : mix && mix->kind == FormatClass::f8;
  if (wants_fp8 && !architecture.native_fp8) codes.insert("W_NO_FP8");
  const bool wants_fp16 = trains || (mix && mix->kind == FormatClass::f16);
  if (wants_fp16 && !architecture.fast_fp16) codes.insert("W_FP16_CRIPPLED");
}

/// Programs for data centres multiply packed weights with kernels written for the chips that they support, on matrix units.
/// Elsewhere a general kernel stands in: on one chip without both, 35 token/s with one 4-bit format of a 32B model and 5 with
/// another of an 8B model (https://github.com/vllm-project/vllm/pull/12431, 2025-04).
bool kernel_decides(const WarningFacts& facts, const Architecture& architecture, SupportLevel level) {
  const auto* mix = find_weight_mix(facts.query.job.weight_format);
  const bool packed = mix && (mix->family == "gptq" || mix->family == "awq");
  return !asks_training(facts) && packed && !(architecture.matrix_units && level == SupportLevel::supported);
}

}  // namespace

void rules_of_software(const WarningFacts& facts, WarningCodes& codes) {
  for_each_card(facts, [&](const NodeGraph&, const Device& device, LinkId) {
    const auto* architecture = device.gpu ? facts.catalog.architectures.find(device.gpu->architecture) : nullptr;
    if (!architecture) return;
    rules_of_chip(facts, *architecture, codes);
    const auto verdict = software_verdict(facts.catalog, facts.query.job, *device.gpu);
    if (verdict.statement) codes.insert(verdict.statement->warnings.begin(), verdict.statement->warnings.end());
    if (verdict.level == SupportLevel::unsupported) {
      codes.insert("W_ENGINE_UNSUPPORTED");
      if (fork_for(facts.catalog, verdict.program, *device.gpu)) codes.insert("W_ENGINE_FORK");
    }
    if (verdict.level == SupportLevel::unknown) codes.insert("W_ENGINE_UNKNOWN");
    if (kernel_decides(facts, *architecture, verdict.level)) codes.insert("W_QUANT_KERNEL");
  });
}

namespace {

/// From here on the range of a rate is wider than what people report of one program without its build and settings makes it:
/// engines and kernels for this chip differ by more.
constexpr double several_fold = 4;

}  // namespace

void rules_of_speed(const WarningFacts& facts, WarningCodes& codes) {
  if (facts.result.inference) {
    const auto& decode = facts.result.inference->decode_per_user;
    if (decode.low > TokenRate{} && decode.high > several_fold * decode.low) codes.insert("W_SOFTWARE_SPREAD");
    if (facts.model.draft_layers > 0) codes.insert("W_SPECDEC_BASELINE");
  }
  for (int card = 0; card < facts.graph.cards(); ++card) {
    const auto cap = facts.graph.place(card).power_cap;
    const auto rated = facts.graph.gpu(card).board_power;
    if (cap && rated && *cap < *rated) codes.insert("W_POWER_CAP_SENSITIVE");
  }
}

}  // namespace rigplan
