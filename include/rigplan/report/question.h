// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rigplan/json/value.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// The question in one line, every default filled in:
/// "Qwen2.5-72B Q4_K_M, 8,192 context, one user · up to 20,000 yuan · 24 months at 8 h/day, 0.6 yuan/kWh".
std::string question_text(const Query& query, const TransformerModel& model);

/// The same for programs: every input after defaults, units in the keys.
JsonValue question_json(const Query& query, const TransformerModel& model);

/// "QLoRA", "LoRA", "full fine-tuning", "inference".
std::string_view to_text(JobKind kind);
/// "none", "selective", "full".
std::string_view checkpointing_name(Checkpointing checkpointing);
/// "layer split", "tensor parallel 4, 2 copies", "one card", "data parallel 10, ZeRO 3": what a plan is called.
std::string plan_text(const ParallelPlan& plan, JobKind kind);

}  // namespace rigplan
