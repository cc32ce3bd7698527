// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/sweep_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// Steps that end within this share of a step before the end of a range reach it: 0.1 + 9 x 0.1 is 1.
constexpr double end_slack = 1e-9;
constexpr double most_values = 1e12;

struct NumberWithUnit {
  double number = 0;
  std::string unit;
};

std::string_view bare(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<NumberWithUnit> number_with_unit(std::string_view text) {
  text = bare(text);
  NumberWithUnit result;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), result.number);
  if (failure != std::errc{} || !std::isfinite(result.number)) return std::nullopt;
  result.unit = std::string{bare(text.substr(static_cast<std::size_t>(end - text.data())))};
  return result;
}

/// "8k" tokens are 8192.
void count_tokens(NumberWithUnit& value) {
  if (value.unit == "k" || value.unit == "K")
    value.number *= 1024;
  else if (value.unit == "M")
    value.number *= 1024.0 * 1024.0;
  else
    return;
  value.unit.clear();
}

/// 0.1 + 2 x 0.1 is meant to be 0.3, not 0.30000000000000004.
double rounded(double value) {
  if (value == std::floor(value)) return value;
  const auto text = fmt::format("{:.14g}", value);
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<std::string_view> split_at(std::string_view text, char sign) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const auto next = text.find(sign, at);
    parts.push_back(bare(text.substr(at, next == text.npos ? next : next - at)));
    if (next == text.npos) return parts;
    at = next + 1;
  }
}

}  // namespace

void AxisValues::add(std::string text) {
  Run run;
  run.single = std::move(text);
  run.begin = size_++;
  runs_.push_back(std::move(run));
}

std::string AxisValues::add_element(std::string_view element, bool counts_tokens) {
  element = bare(element);
  if (element.empty()) return msg("has an empty value");
  // A path such as ../rig.json has two points too, but no number before them.
  const auto dots = element.find("..");
  if (dots != element.npos && dots > 0 && number_with_unit(element.substr(0, dots)))
    return add_range(element, dots, counts_tokens);
  auto value = counts_tokens ? number_with_unit(element) : std::nullopt;
  if (value) {
    count_tokens(*value);
    if (value->unit.empty()) {
      add(fmt::format("{}", value->number));
      return "";
    }
  }
  add(std::string{element});
  return "";
}

std::string AxisValues::add_range(std::string_view element, std::size_t dots, bool counts_tokens) {
  auto rest = element.substr(dots + 2);
  const auto sign = rest.find_first_of("*+", 1);
  const bool multiplies = sign != rest.npos && rest[sign] == '*';
  const auto step_text = sign == rest.npos ? std::string_view{"1"} : rest.substr(sign + 1);
  auto first = number_with_unit(element.substr(0, dots)), last = number_with_unit(rest.substr(0, sign));
  auto step = number_with_unit(step_text);
  if (!first || !last || !step)
    return fmt::format("\"{}\" is not a range; expected one such as 8..64*2, 100..200+25 or 1..8", element);
  if (counts_tokens)
    for (auto* value : {&*first, &*last, &*step}) count_tokens(*value);
  if (first->unit.empty() && !last->unit.empty()) first->unit = last->unit;
  if (first->unit != last->unit || (!step->unit.empty() && (multiplies || step->unit != first->unit)))
    return fmt::format("\"{}\" mixes the units of its ends", element);
  if (multiplies ? step->number <= 1 || first->number <= 0 : step->number <= 0)
    return multiplies ? fmt::format("\"{}\" never arrives: a factor must be above 1, and the first value above 0", element)
                      : fmt::format("\"{}\" never arrives: a step must be above 0", element);
  if (last->number < first->number) return fmt::format("\"{}\" runs backwards", element);
  const double steps = multiplies ? std::log(last->number / first->number) / std::log(step->number)
                                  : (last->number - first->number) / step->number;
  if (!(steps < most_values)) return fmt::format("\"{}\" has more than {:.0e} values", element, most_values);
  Run run;
  run.first = first->number;
  run.step = step->number;
  run.multiplies = multiplies;
  run.range = true;
  run.unit = first->unit;
  run.begin = size_;
  run.count = static_cast<std::int64_t>(std::floor(steps + end_slack)) + 1;
  size_ += run.count;
  runs_.push_back(std::move(run));
  return "";
}

std::string AxisValues::text(std::int64_t index) const {
  const auto behind =
      std::upper_bound(runs_.begin(), runs_.end(), index, [](std::int64_t i, const Run& run) { return i < run.begin; });
  const auto& run = *(behind - 1);
  if (!run.range) return run.single;
  const auto k = static_cast<double>(index - run.begin);
  const double value = rounded(run.multiplies ? run.first * std::pow(run.step, k) : run.first + k * run.step);
  return run.unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, run.unit);
}

std::variant<SweepAxis, AxisError> parse_axis(std::string_view text, const CountsTokens& counts_tokens) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals == 0)
    return AxisError{fmt::format("\"{}\" is not of the form FIELD=VALUES, such as cards=2,4,8 or context=8k..128k*2", text)};
  SweepAxis axis;
  for (const auto& field : split_at(text.substr(0, equals), ',')) axis.fields.emplace_back(field);
  axis.values.resize(axis.fields.size());
  for (const auto& element : split_at(text.substr(equals + 1), ',')) {
    const auto parts = axis.fields.size() == 1 ? std::vector<std::string_view>{element} : split_at(element, ':');
    if (parts.size() != axis.fields.size())
      return AxisError{fmt::format("\"{}\": \"{}\" has {} values for {} linked fields; expected {} with : between", text, element,
                                   parts.size(), axis.fields.size(), axis.fields.size())};
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (const auto fault = axis.values[i].add_element(parts[i], counts_tokens(axis.fields[i])); !fault.empty())
        return AxisError{fmt::format("\"{}\": {}", text, fault)};
  }
  for (const auto& values : axis.values)
    if (values.size() != axis.size())
      return AxisError{fmt::format("\"{}\": linked fields have {} and {} values", text, axis.size(), values.size())};
  return axis;
}

SweepSpace::SweepSpace(std::vector<SweepAxis> axes) : axes_{std::move(axes)} {
  for (const auto& axis : axes_) {
    if (axis.size() > most_points / points_) throw std::overflow_error{fmt::format("more than {} points", most_points)};
    points_ *= axis.size();
  }
}

void SweepSpace::coordinates(std::int64_t point, std::vector<std::int64_t>& indices) const {
  indices.resize(axes_.size());
  for (auto i = axes_.size(); i-- > 0;) {
    indices[i] = point % axes_[i].size();
    point /= axes_[i].size();
  }
}

PointRange shard_of(std::int64_t points, std::int64_t i, std::int64_t n) {
  const auto cut = [&](std::int64_t k) { return points / n * k + points % n * k / n; };
  return {cut(i - 1), cut(i)};
}

}  // namespace rigplan
