// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/session.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

using SetField = bool (*)(SweepInput&, const std::string&, std::string&);

/// A quantity, or a bare number of `bare` where that has a unit of its own.
template <class Q, class Target>
bool set_quantity(Target& target, const std::string& text, std::string& fault, std::optional<Q> bare = std::nullopt) {
  if (bare) {
    const auto number = parse_number(text);
    if (const auto* value = std::get_if<double>(&number)) {
      if (*value < 0) {
        fault = fmt::format("\"{}\" is negative", text);
        return false;
      }
      target = *value * *bare;
      return true;
    }
  }
  const auto parsed = parse_quantity<Q>(text);
  if (const auto* error = std::get_if<UnitError>(&parsed)) {
    fault = error->message;
    return false;
  }
  target = std::get<Q>(parsed);
  return true;
}

template <class Target>
bool set_number(Target& target, const std::string& text, std::string& fault, double least, double greatest) {
  const auto parsed = parse_number(text);
  const auto* value = std::get_if<double>(&parsed);
  if (!value || *value < least || *value > greatest) {
    fault = fmt::format("\"{}\" is not a number from {} to {}", text, least, greatest);
    return false;
  }
  target = *value;
  return true;
}

bool set_count(int& target, const std::string& text, std::string& fault, int least, int greatest) {
  const auto parsed = parse_integer(text, least, greatest);
  if (const auto* error = std::get_if<UnitError>(&parsed)) {
    fault = error->message;
    return false;
  }
  target = static_cast<int>(std::get<long long>(parsed));
  return true;
}

bool set_one_of(std::string& target, const std::string& text, std::string& fault, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), text) == names.end()) {
    fault = fmt::format("\"{}\" is not one of {}", text, fmt::join(names, ", "));
    return false;
  }
  target = text;
  return true;
}

bool set_text(std::string& target, const std::string& text) {
  target = text;
  return true;
}

constexpr SetField set_context = [](auto& in, auto& text, auto& fault) {
  return set_quantity<Tokens>(in.job.job.context, text, fault);
};
constexpr SetField set_prompt = [](auto& in, auto& text, auto& fault) {
  return set_quantity<Tokens>(in.job.job.prompt, text, fault);
};
constexpr SetField set_generate = [](auto& in, auto& text, auto& fault) {
  return set_quantity<Tokens>(in.job.job.generate, text, fault);
};
constexpr SetField set_users = [](auto& in, auto& text, auto& fault) {
  return set_count(in.job.job.users, text, fault, 1, 4096);
};
constexpr SetField set_budget = [](auto& in, auto& text, auto& fault) {
  return set_quantity<Yuan>(in.job.limits.budget, text, fault, std::optional{yuan});
};
constexpr SetField set_max_cards = [](auto& in, auto& text, auto& fault) {
  return set_count(in.job.limits.max_cards, text, fault, 1, 4096);
};
constexpr SetField set_max_watts = [](auto& in, auto& text, auto& fault) {
  return set_quantity<Watts>(in.job.limits.max_watts, text, fault, std::optional{watt});
};
constexpr SetField set_min_tokens = [](auto& in, auto& text, auto& fault) {
  return set_quantity<TokenRate>(in.job.limits.min_tokens, text, fault, std::optional{token_per_s});
};
constexpr SetField set_horizon = [](auto& in, auto& text, auto& fault) {
  return set_quantity<Seconds>(in.job.horizon, text, fault, std::optional{month});
};
constexpr SetField set_hours = [](auto& in, auto& text, auto& fault) {
  return set_number(in.job.hours_per_day, text, fault, 0, 24);
};
constexpr SetField set_idle = [](auto& in, auto& text, auto& fault) {
  return set_number(in.job.idle_hours_per_day, text, fault, 0, 24);
};
constexpr SetField set_pue = [](auto& in, auto& text, auto& fault) { return set_number(in.job.pue, text, fault, 1, 4); };
constexpr SetField set_tariff_text = [](auto& in, auto& text, auto&) { return set_text(in.job.tariff, text); };
constexpr SetField set_model = [](auto& in, auto& text, auto&) { return set_text(in.job.job.model, text); };
constexpr SetField set_quant = [](auto& in, auto& text, auto&) { return set_text(in.job.quant, text); };
constexpr SetField set_engine_text = [](auto& in, auto& text, auto&) { return set_text(in.job.engine, text); };
constexpr SetField set_kv = [](auto& in, auto& text, auto&) { return set_text(in.job.kv_format, text); };
constexpr SetField set_method_text = [](auto& in, auto& text, auto& fault) {
  return set_one_of(in.job.method, text, fault, {"lora", "qlora", "full"});
};
constexpr SetField set_sequence = [](auto& in, auto& text, auto& fault) {
  return set_quantity<Tokens>(in.job.job.sequence, text, fault);
};
constexpr SetField set_batch = [](auto& in, auto& text, auto& fault) {
  return set_count(in.job.job.sequences_per_step, text, fault, 1, 1 << 20);
};
constexpr SetField set_rank = [](auto& in, auto& text, auto& fault) {
  return set_count(in.job.job.lora_rank, text, fault, 1, 4096);
};
constexpr SetField set_optimizer = [](auto& in, auto& text, auto&) { return set_text(in.job.job.optimizer, text); };
constexpr SetField set_precision = [](auto& in, auto& text, auto& fault) {
  return set_one_of(in.job.precision, text, fault, {"fp32", "fp16", "bf16", "fp8"});
};
constexpr SetField set_gpu = [](auto& in, auto& text, auto&) { return set_text(in.gpu, text); };
constexpr SetField set_cards = [](auto& in, auto& text, auto& fault) { return set_count(in.cards, text, fault, 1, 4096); };
constexpr SetField set_board = [](auto& in, auto& text, auto&) { return set_text(in.board, text); };
constexpr SetField set_rig = [](auto& in, auto& text, auto&) { return set_text(in.rig, text); };

const std::vector<SweepField>& named_fields() {
  using enum FieldReach;
  static const std::vector<SweepField> fields{{"context", load, true, set_context},
                                              {"users", load, false, set_users},
                                              {"prompt", load, true, set_prompt},
                                              {"generate", load, true, set_generate},
                                              {"budget", load, false, set_budget},
                                              {"max-cards", load, false, set_max_cards},
                                              {"max-watts", load, false, set_max_watts},
                                              {"min-tokens-per-s", load, false, set_min_tokens},
                                              {"horizon", load, false, set_horizon},
                                              {"hours-per-day", load, false, set_hours},
                                              {"idle-hours", load, false, set_idle},
                                              {"tariff", load, false, set_tariff_text},
                                              {"pue", load, false, set_pue},
                                              {"gpu", rig, false, set_gpu},
                                              {"cards", rig, false, set_cards},
                                              {"board", rig, false, set_board},
                                              {"rig", rig, false, set_rig},
                                              {"model", rig, false, set_model},
                                              {"quant", rig, false, set_quant},
                                              {"engine", rig, false, set_engine_text},
                                              {"kv", rig, false, set_kv},
                                              {"method", rig, false, set_method_text},
                                              {"sequence", rig, true, set_sequence},
                                              {"batch", rig, false, set_batch},
                                              {"lora-rank", rig, false, set_rank},
                                              {"optimizer", rig, false, set_optimizer},
                                              {"precision", rig, false, set_precision}};
  return fields;
}

template <class Pairs>
void set_pair(Pairs& pairs, const std::string& path, const std::string& value) {
  for (auto& [known, old] : pairs)
    if (known == path) {
      old = value;
      return;
    }
  pairs.push_back({path, value});
}

}  // namespace

std::vector<std::string> sweep_field_names() {
  std::vector<std::string> names;
  for (const auto& field : named_fields()) names.push_back(field.name);
  return names;
}

bool is_token_field(std::string_view name) {
  return std::any_of(named_fields().begin(), named_fields().end(),
                     [&](const SweepField& field) { return field.name == name && field.counts_tokens; });
}

SweepField find_sweep_field(const std::string& name) {
  for (const auto& field : named_fields())
    if (field.name == name) return field;
  if (name.starts_with("/")) return {name, FieldReach::rig, false, nullptr};
  if (std::count(name.begin(), name.end(), '.') >= 2)
    return {name, name.ends_with(".price") ? FieldReach::price : FieldReach::rig, false, nullptr};
  throw UsageError{
      fmt::format("no field \"{}\" to sweep over{}; there are {}, pointers into the rig file such as /nodes/0/count, "
                  "and paths into the catalog such as gpus.mi50-32gb.price",
                  name, did_you_mean(name, sweep_field_names()), fmt::join(sweep_field_names(), ", "))};
}

std::string set_sweep_field(const SweepField& field, const std::string& text, SweepInput& input) {
  std::string fault;
  if (field.set) {
    field.set(input, text, fault);
    return fault;
  }
  if (field.name.starts_with("/"))
    set_pair(input.rig_changes, field.name, text);
  else
    set_pair(field.reach == FieldReach::price ? input.prices : input.catalog_changes, field.name, text);
  return fault;
}

}  // namespace rigplan
