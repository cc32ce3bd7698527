// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {

std::string_view to_text(Misfit misfit) {
  switch (misfit) {
    case Misfit::none:
      return msg("fits");
    case Misfit::software:
      return msg("software");
    case Misfit::memory:
      return msg("memory");
    case Misfit::no_plan:
      return msg("no plan");
    case Misfit::no_slots:
      return msg("slots");
    case Misfit::budget:
      return msg("budget");
    case Misfit::cards:
      return msg("cards");
    case Misfit::watts:
      return msg("watts");
    case Misfit::circuits:
      return msg("circuits");
    case Misfit::speed:
      return msg("speed");
    case Misfit::cooling:
      return msg("cooling");
    case Misfit::old_price:
      return msg("price age");
    case Misfit::no_price:
      return msg("price");
    case Misfit::unknown_speed:
      return msg("unknown speed");
  }
  return "";
}

namespace {

/// A rate ranks by its negative, so that smaller is better everywhere.
std::optional<double> falling(double value) { return value > 0 ? std::optional{-value} : std::nullopt; }

template <class Q>
std::optional<double> likely_in(const std::optional<Range<Q>>& range, Q unit) {
  if (!range) return std::nullopt;
  return range->likely.in(unit);
}

}  // namespace

std::optional<double> rank_value(const Candidate& candidate, RankBy by) {
  const auto& merit = candidate.merit;
  const auto& inference = candidate.best.inference;
  switch (by) {
    case RankBy::yuan_per_usable_tflop:
      return likely_in(merit.per_usable_rate, yuan_per_TFLOP_per_s);
    case RankBy::price:
      return candidate.purchase.total.likely.in(yuan);
    case RankBy::decode:
      return falling((inference ? inference->decode_per_user : candidate.best.tokens).likely.in(token_per_s));
    case RankBy::prefill:
      return inference ? falling(inference->prefill.likely.in(token_per_s)) : std::nullopt;
    case RankBy::usable:
      return falling(candidate.best.usable.likely.in(TFLOP_per_s));
    case RankBy::yuan_per_mtoken:
      return likely_in(merit.per_token, yuan_per_Mtoken);
    case RankBy::yuan_per_token_rate:
      return likely_in(merit.per_token_rate, yuan_per_token_per_s);
    case RankBy::yuan_per_gib:
      return likely_in(merit.purchase_per_vram, yuan_per_GiB);
    case RankBy::watts:
      return candidate.wall.peak.in(watt);
    case RankBy::cost:
      return candidate.cost.total().likely.in(yuan);
    case RankBy::vram:
      return falling(candidate.vram.in(GiB));
  }
  return std::nullopt;
}

void apply_limits(Candidate& candidate, const Limits& limits, bool trains) {
  const auto reject = [&](Misfit misfit, std::string why) {
    if (candidate.misfit != Misfit::none) return;
    candidate.misfit = misfit;
    candidate.why_not = std::move(why);
  };
  if (limits.max_cards > 0 && candidate.cards > limits.max_cards)
    reject(Misfit::cards, fmt::format("{} cards, {} allowed", candidate.cards, limits.max_cards));
  const auto price = candidate.purchase.total.likely;
  if (limits.budget && price > *limits.budget)
    reject(Misfit::budget, fmt::format("{} over the budget", to_text(price - *limits.budget)));
  if (limits.max_watts && candidate.wall.peak > *limits.max_watts)
    reject(Misfit::watts,
           fmt::format("draws up to {} at the wall, {} allowed", to_text(candidate.wall.peak), to_text(*limits.max_watts)));
  if (!limits.min_tokens || candidate.misfit != Misfit::none) return;
  const auto rate =
      trains || !candidate.best.inference ? candidate.best.tokens.likely : candidate.best.inference->decode_per_user.likely;
  if (rate < *limits.min_tokens)
    reject(Misfit::speed, fmt::format("{}, {} asked for", to_text(rate), to_text(*limits.min_tokens)));
}

std::vector<bool> dominated(std::span<const Candidate* const> ranked) {
  // Another number format is another quality, so that neither stands for the other.
  std::map<std::tuple<std::string, int, std::string>, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < ranked.size(); ++i) alike[{ranked[i]->gpu, ranked[i]->cards, ranked[i]->quant}].push_back(i);
  std::vector<bool> beaten(ranked.size(), false);
  const auto cost = [&](std::size_t i) { return ranked[i]->cost.total().likely; };
  const auto rate = [&](std::size_t i) { return ranked[i]->best.usable.likely; };
  for (const auto& [cards, group] : alike)
    for (auto at = group.begin(); at != group.end(); ++at)
      beaten[*at] = std::any_of(
          group.begin(), at, [&](auto ahead) { return !beaten[ahead] && cost(ahead) <= cost(*at) && rate(ahead) >= rate(*at); });
  return beaten;
}

Ranking rank(std::vector<Candidate> candidates, Query query) {
  Ranking ranking;
  ranking.candidates = static_cast<int>(candidates.size());
  for (auto& candidate : candidates) {
    if (candidate.misfit == Misfit::none && !rank_value(candidate, query.by)) {
      candidate.misfit = Misfit::unknown_speed;
      candidate.why_not = msg("the catalog lacks what this ranking needs");
    }
    (candidate.misfit == Misfit::none ? ranking.ranked : ranking.rejected).push_back(std::move(candidate));
  }
  std::stable_sort(ranking.ranked.begin(), ranking.ranked.end(),
                   [&](const Candidate& a, const Candidate& b) { return *rank_value(a, query.by) < *rank_value(b, query.by); });
  std::stable_sort(ranking.rejected.begin(), ranking.rejected.end(), [](const Candidate& a, const Candidate& b) {
    if (a.misfit != b.misfit) return a.misfit < b.misfit;
    return a.purchase.total.likely < b.purchase.total.likely;
  });
  std::vector<const Candidate*> in_order;
  for (const auto& candidate : ranking.ranked) in_order.push_back(&candidate);
  ranking.is_dominated = dominated(in_order);
  ranking.dominated = static_cast<int>(std::count(ranking.is_dominated.begin(), ranking.is_dominated.end(), true));
  ranking.query = std::move(query);
  return ranking;
}

}  // namespace rigplan
