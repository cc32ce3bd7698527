// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/robust.h"

#include <limits>
#include <map>
#include <string_view>

#include "rigplan/economics/draws.h"
#include "search/priced_build.h"

namespace rigplan {
namespace {

/// FNV-1a (Fowler, Noll, Vo): the same number for the same name everywhere.
std::uint64_t number_of_name(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

EvenNumbers numbers_for(std::uint64_t seed, std::string_view what, std::string_view name) {
  return EvenNumbers{(seed * 0x9E3779B97F4A7C15) ^ number_of_name(what) ^ (number_of_name(name) * 31)};
}

/// Speed over likely speed, as a range.
Range<double> speed_spread(const Candidate& candidate) {
  const auto& usable = candidate.best.usable;
  if (usable.likely <= FlopRate{}) return Range<double>::exactly(1);
  return {usable.low / usable.likely, 1, usable.high / usable.likely};
}

struct Competitor {
  PricedBuild build;
  Range<double> speed;
  std::size_t kind = 0;  ///< of card
};

}  // namespace

std::vector<double> shares_of_first(const Catalog& catalog, const Ranking& ranking, int draws, std::uint64_t seed) {
  const auto by = ranking.query.by;
  BillItems items;
  std::map<std::string, std::size_t> kinds;
  std::vector<EvenNumbers> speeds;
  std::vector<Competitor> competitors;
  for (const auto& candidate : ranking.ranked) {
    const auto [at, is_new] = kinds.try_emplace(candidate.gpu, speeds.size());
    if (is_new) speeds.push_back(numbers_for(seed, "speed", candidate.gpu));
    competitors.push_back({{catalog, candidate, ranking.query.schedule, items}, speed_spread(candidate), at->second});
  }
  std::vector<EvenNumbers> price_draws;
  for (std::size_t i = 0; i < items.prices().size(); ++i) price_draws.push_back(numbers_for(seed, "price", items.id(i)));

  std::vector<int> wins(competitors.size());
  auto prices = items.prices();
  std::vector<double> places(speeds.size());
  for (int draw = 0; draw < draws; ++draw) {
    for (std::size_t i = 0; i < prices.size(); ++i) {
      const auto in_yuan = map_range(items.prices()[i], [](Yuan price) { return price.in(yuan); });
      prices[i] = Range<Yuan>::exactly(triangular(in_yuan, price_draws[i].next()) * yuan);
    }
    for (std::size_t kind = 0; kind < speeds.size(); ++kind) places[kind] = speeds[kind].next();
    std::size_t first = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < competitors.size(); ++i) {
      const auto& one = competitors[i];
      const auto value = one.build.value(by, one.build.bill(prices), triangular(one.speed, places[one.kind]));
      if (value && *value < least) {
        least = *value;
        first = i;
      }
    }
    if (!competitors.empty()) ++wins[first];
  }
  std::vector<double> shares;
  for (const int count : wins) shares.push_back(draws > 0 ? static_cast<double>(count) / draws : 0);
  return shares;
}

}  // namespace rigplan
