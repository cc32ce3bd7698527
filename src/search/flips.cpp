// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/flips.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "search/flip_search.h"

namespace rigplan {
namespace {

constexpr double least_price_factor = 0.5, greatest_price_factor = 2;
constexpr int halvings = 24;  // of a factor between 1 and 2: seven digits

double distance(double factor) { return factor > 0 ? std::abs(std::log(factor)) : 1e9; }

/// A price that may change the first place, and the builds that it is a part of.
struct PriceLever {
  FlipLever lever{};
  std::string item;
  std::vector<Bounded> builds;
  bool in_first = false;  ///< a part of the first build: it must become dearer, anything else cheaper
  double reach = 1;       ///< no factor nearer to 1 can change the first place
};

bool is_part_of(const Candidate& candidate, const std::string& item) {
  const auto& lines = candidate.purchase.lines;
  return std::any_of(lines.begin(), lines.end(), [&](const PurchaseLine& line) { return line.item == item; });
}

/// The two sides of the edge between `same`, where the first place is as now, and `other`, where it is not.
template <class F>
std::pair<double, double> edge_between(double same, double other, const F& is_same) {
  for (int i = 0; i < halvings; ++i) {
    const double middle = (same + other) / 2;
    (is_same(middle) ? same : other) = middle;
  }
  return {same, other};
}

class FlipFinder {
 public:
  FlipFinder(FlipSearch& search, const Candidate* first) : search_{search}, first_{first}, now_{.schedule = search.schedule()} {}

  void find_prices(int most);
  void find_tariff();
  void find_hours();
  void find_horizon();

  std::vector<RankFlip> flips;
  std::vector<FlipLever> without;

 private:
  std::vector<PriceLever> price_levers();
  FlipSetting at_price(const PriceLever& lever, double factor) const { return {now_.schedule, lever.lever, lever.item, factor}; }
  std::optional<RankFlip> price_flip(const PriceLever& lever, double end);
  /// One way of a lever of the schedule.
  template <class F>
  std::optional<RankFlip> schedule_flip(FlipLever lever, double from, double end, const F& schedule_at);
  template <class F>
  void add_nearer(FlipLever lever, double from, double low, double high, const F& schedule_at);

  FlipSearch& search_;
  const Candidate* first_;
  FlipSetting now_;
};

std::vector<PriceLever> FlipFinder::price_levers() {
  std::map<std::string, PriceLever> cards, boards;
  for (const auto& build : search_.builds()) {
    const auto add = [&](std::map<std::string, PriceLever>& levers, FlipLever kind, const std::string& item) {
      auto& lever = levers[item];
      lever.lever = kind;
      lever.item = item;
      lever.builds.push_back(build);
    };
    add(cards, FlipLever::card_price, build.choice->gpu->id);
    add(boards, FlipLever::board_price, build.choice->kit->board);
  }
  const double value = search_.value(now_);
  std::vector<PriceLever> levers;
  for (auto* some : {&cards, &boards})
    for (auto& [item, lever] : *some) {
      lever.in_first = is_part_of(*first_, item);
      const auto open = [&](double factor) { return !search_.may_beat(at_price(lever, factor), lever.builds, value); };
      if (!lever.in_first) {
        if (open(least_price_factor)) continue;
        lever.reach = edge_between(1, least_price_factor, open).first;
      }
      levers.push_back(std::move(lever));
    }
  std::stable_sort(levers.begin(), levers.end(),
                   [](const PriceLever& a, const PriceLever& b) { return distance(a.reach) < distance(b.reach); });
  return levers;
}

std::optional<RankFlip> FlipFinder::price_flip(const PriceLever& lever, double end) {
  const std::span<const Bounded> builds = lever.in_first ? search_.builds() : lever.builds;
  const auto is_same = [&](double factor) { return search_.first(at_price(lever, factor), builds) == first_; };
  if (is_same(end)) return std::nullopt;
  const auto [same, other] = edge_between(1, end, is_same);
  const auto price = search_.prices().find(lever.item)->range.likely.in(yuan);
  const auto* next = search_.first(at_price(lever, other), builds);
  return RankFlip{lever.lever, lever.item, price, price * other, next ? *next : Candidate{}};
}

void FlipFinder::find_prices(int most) {
  std::vector<RankFlip> found;
  for (const auto& lever : price_levers()) {
    const bool enough = static_cast<int>(found.size()) >= most;
    const double farthest = enough ? distance(found.back().factor()) : distance(least_price_factor);
    if (distance(lever.reach) > farthest) break;
    const double end = lever.in_first ? std::min(greatest_price_factor, std::exp(farthest)) : std::exp(-farthest);
    auto flip = price_flip(lever, end);
    if (!flip) continue;
    found.push_back(std::move(*flip));
    std::stable_sort(found.begin(), found.end(),
                     [](const RankFlip& a, const RankFlip& b) { return distance(a.factor()) < distance(b.factor()); });
    if (static_cast<int>(found.size()) > most) found.pop_back();
  }
  for (auto& flip : found) flips.push_back(std::move(flip));
}

template <class F>
std::optional<RankFlip> FlipFinder::schedule_flip(FlipLever lever, double from, double end, const F& schedule_at) {
  const auto first_at = [&](double value) {
    FlipSetting setting;
    setting.schedule = schedule_at(value);
    return search_.first(setting, search_.builds());
  };
  const auto is_same = [&](double value) { return first_at(value) == first_; };
  if (is_same(end)) return std::nullopt;
  const auto [same, other] = edge_between(from, end, is_same);
  const auto* next = first_at(other);
  return RankFlip{lever, "", from, other, next ? *next : Candidate{}};
}

template <class F>
void FlipFinder::add_nearer(FlipLever lever, double from, double low, double high, const F& schedule_at) {
  std::optional<RankFlip> nearest;
  for (const double end : {low, high}) {
    if (end == from) continue;
    auto flip = schedule_flip(lever, from, end, schedule_at);
    if (flip && (!nearest || distance(flip->factor()) < distance(nearest->factor()))) nearest = std::move(flip);
  }
  if (nearest)
    flips.push_back(std::move(*nearest));
  else
    without.push_back(lever);
}

void FlipFinder::find_tariff() {
  const double from = now_.schedule.tariff.in(yuan_per_kWh);
  add_nearer(FlipLever::tariff, from, 0, 4 * from, [&](double price) {
    auto schedule = now_.schedule;
    schedule.tariff = price * yuan_per_kWh;
    return schedule;
  });
}

void FlipFinder::find_hours() {
  const double from = now_.schedule.loaded_hours_per_day;
  add_nearer(FlipLever::hours_per_day, from, std::min(from, 0.25), 24, [&](double hours) {
    auto schedule = now_.schedule;
    schedule.loaded_hours_per_day = hours;
    schedule.idle_hours_per_day = std::min(schedule.idle_hours_per_day, 24 - hours);
    return schedule;
  });
}

void FlipFinder::find_horizon() {
  const double from = now_.schedule.horizon.in(month);
  std::optional<RankFlip> nearest;
  const auto changes_at = [&](double months) {
    FlipSetting setting = now_;
    setting.schedule.horizon = months * month;
    const auto* first = search_.first(setting, search_.builds());
    if (first == first_) return false;
    RankFlip flip{FlipLever::horizon, "", from, months, first ? *first : Candidate{}};
    if (!nearest || distance(flip.factor()) < distance(nearest->factor())) nearest = std::move(flip);
    return true;
  };
  for (int months = static_cast<int>(std::ceil(from)) - 1; months >= 1; --months)
    if (changes_at(months)) break;
  for (int months = static_cast<int>(std::floor(from)) + 1; months <= 60; ++months)
    if (changes_at(months)) break;
  if (nearest)
    flips.push_back(std::move(*nearest));
  else
    without.push_back(FlipLever::horizon);
}

}  // namespace

FlipAnswer flips_of_first(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations,
                          std::span<const Query> questions, int most_prices) {
  FlipAnswer answer;
  FlipSearch search{catalog, model, calibrations, {questions.begin(), questions.end()}};
  const auto* first = search.first({.schedule = search.schedule()}, search.builds());
  if (!first) return answer;
  answer.first = *first;
  FlipFinder finder{search, first};
  finder.find_prices(most_prices);
  finder.find_tariff();
  finder.find_hours();
  finder.find_horizon();
  answer.flips = std::move(finder.flips);
  answer.without = std::move(finder.without);
  std::stable_sort(answer.flips.begin(), answer.flips.end(),
                   [](const RankFlip& a, const RankFlip& b) { return distance(a.factor()) < distance(b.factor()); });
  return answer;
}

}  // namespace rigplan
