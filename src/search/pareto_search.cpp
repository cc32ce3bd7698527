// SPDX-License-Identifier: Apache-2.0
#include "search/pareto_search.h"

#include <algorithm>
#include <numeric>

#include "rigplan/search/pareto.h"

namespace rigplan {
namespace {

/// The front of what was looked at so far.
class Front {
 public:
  explicit Front(std::span<const RankBy> measures) : measures_{measures} {}

  void add(const Candidate& candidate) {
    if (candidate.misfit != Misfit::none) return;
    const auto values = measure_values(candidate, measures_);
    if (values.empty() || beaten(values)) return;
    std::erase_if(members_, [&](const MeasureValues& member) { return beats(values, member); });
    members_.push_back(values);
  }
  bool beaten(const MeasureValues& values) const {
    return std::any_of(members_.begin(), members_.end(), [&](const MeasureValues& member) { return beats(member, values); });
  }

 private:
  std::span<const RankBy> measures_;
  std::vector<MeasureValues> members_;
};

/// Builds in an order in which those come early that beat many: by the sum of their places in each measure.
std::vector<std::size_t> promising_first(const std::vector<MeasureValues>& bounds, std::size_t measures) {
  std::vector<std::size_t> order(bounds.size()), sum(bounds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t m = 0; m < measures; ++m) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return bounds[a][m] < bounds[b][m]; });
    for (std::size_t place = 0; place < order.size(); ++place) sum[order[place]] += place;
  }
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sum[a] < sum[b]; });
  return order;
}

}  // namespace

int look_for_front(const BuildSearch& search, std::span<const RankBy> measures, std::span<const Bounded> builds,
                   std::vector<Candidate>& looked_at) {
  std::vector<MeasureValues> bounds;
  for (const auto& build : builds) {
    auto& values = bounds.emplace_back();
    for (const auto measure : measures) values.push_back(search.bounds(build).value(*build.choice, measure));
  }
  Front front{measures};
  int looks = 0;
  std::vector<Bounded> batch;
  const auto look = [&] {
    const auto seen = looked_at.size();
    search.look_at(batch, looked_at);
    for (auto i = seen; i < looked_at.size(); ++i) front.add(looked_at[i]);
    looks += static_cast<int>(batch.size());
    batch.clear();
  };
  for (const auto i : promising_first(bounds, measures.size())) {
    if (front.beaten(bounds[i])) continue;
    batch.push_back(builds[i]);
    if (batch.size() == looks_at_once) look();
  }
  look();
  return looks;
}

}  // namespace rigplan
