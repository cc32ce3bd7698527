// SPDX-License-Identifier: Apache-2.0
#include "cli/training_pins.h"

#include <fmt/format.h>

#include <variant>

#include "cli/session.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

constexpr int most_degree = 1 << 20;

int whole_number(const std::string& key, const std::string& text, int least, int most) {
  const auto number = parse_integer(text, least, most);
  if (const auto* value = std::get_if<long long>(&number)) return static_cast<int>(*value);
  throw UsageError{fmt::format("--fix {}: \"{}\" is not a whole number from {} to {}", key, text, least, most)};
}

template <class Value>
Value one_of(const std::string& key, const std::string& text, const std::vector<std::pair<std::string, Value>>& values) {
  std::string known;
  for (const auto& [name, value] : values) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + name;
  }
  throw UsageError{fmt::format("--fix {}: \"{}\" is none of {}", key, text, known)};
}

void set_pin(TrainingPins& pins, const std::string& key, const std::string& value) {
  const std::vector<std::pair<std::string, std::optional<int>*>> numbers = {
      {"tensor", &pins.tensor}, {"pipeline", &pins.pipeline},     {"data", &pins.data},
      {"expert", &pins.expert}, {"interleave", &pins.interleave}, {"micro-batch", &pins.micro_sequences}};
  std::vector<std::string> keys{"zero", "sequence-parallel", "checkpointing", "offload"};
  for (const auto& [name, pin] : numbers) {
    if (name == key) {
      *pin = whole_number(key, value, 1, most_degree);
      return;
    }
    keys.push_back(name);
  }
  if (key == "zero")
    pins.sharding = whole_number(key, value, 0, 3);
  else if (key == "sequence-parallel")
    pins.sequence_parallel = one_of<bool>(key, value, {{"yes", true}, {"no", false}});
  else if (key == "checkpointing")
    pins.checkpointing = one_of<Checkpointing>(
        key, value, {{"none", Checkpointing::none}, {"selective", Checkpointing::selective}, {"full", Checkpointing::full}});
  else if (key == "offload")
    pins.offload = one_of<Offload>(
        key, value, {{"none", Offload::none}, {"optimizer", Offload::optimizer}, {"parameters", Offload::parameters}});
  else
    throw UsageError{fmt::format("--fix: nothing is called \"{}\"{}", key, did_you_mean(key, keys))};
}

}  // namespace

TrainingPins read_training_pins(const std::vector<std::string>& texts) {
  TrainingPins pins;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == text.npos) throw UsageError{fmt::format("--fix: \"{}\" is not of the form KEY=VALUE, such as tensor=2", text)};
    set_pin(pins, text.substr(0, equals), text.substr(equals + 1));
  }
  return pins;
}

}  // namespace rigplan
