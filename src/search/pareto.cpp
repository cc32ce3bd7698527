// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/pareto.h"

#include <algorithm>

#include "rigplan/search/rank.h"

namespace rigplan {

MeasureValues measure_values(const Candidate& candidate, std::span<const RankBy> measures) {
  MeasureValues values;
  for (const auto measure : measures) {
    const auto value = rank_value(candidate, measure);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

bool beats(const MeasureValues& a, const MeasureValues& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

std::vector<bool> on_front(std::span<const Candidate> ranked, std::span<const RankBy> measures) {
  std::vector<MeasureValues> values;
  for (const auto& candidate : ranked) values.push_back(measure_values(candidate, measures));
  std::vector<bool> front;
  for (const auto& mine : values)
    front.push_back(!mine.empty() && std::none_of(values.begin(), values.end(), [&](const MeasureValues& other) {
      return !other.empty() && beats(other, mine);
    }));
  return front;
}

}  // namespace rigplan
