// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigplan/search/rank.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// What is too old or undated of these items; empty when nothing is.
std::string old_price(const PriceBook& prices, std::initializer_list<std::string> items) {
  for (const auto& item : items)
    if (const auto* price = prices.find(item); price && price->stale)
      return price->newest.empty() ? fmt::format("the price of {} is undated", item)
                                   : fmt::format("the price of {} was last seen in {}", item, price->newest);
  return {};
}

}  // namespace

std::string_view to_text(Cooling cooling) {
  static constexpr std::string_view names[] = {msg("unknown"), msg("passive"), msg("blower"), msg("open"), msg("liquid")};
  return names[static_cast<std::size_t>(cooling)];
}

std::optional<BrokenLimit> broken_by_parts(const PriceBook& prices, const Limits& limits, const Gpu& gpu,
                                           const std::string& board) {
  const auto& wanted = limits.coolings;
  if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), gpu.cooling) == wanted.end())
    return BrokenLimit{Misfit::cooling, fmt::format("{} has {} cooling", gpu.name, to_text(gpu.cooling))};
  if (!limits.no_old_prices) return std::nullopt;
  if (auto why = old_price(prices, {gpu.id, board}); !why.empty()) return BrokenLimit{Misfit::old_price, std::move(why)};
  return std::nullopt;
}

std::optional<BrokenLimit> broken_by_circuits(const Catalog& catalog, const Limits& limits, Watts wall) {
  if (limits.max_circuits == 0) return std::nullopt;
  const auto* circuit = catalog.circuits.find(planning_defaults(catalog).circuit);
  if (!circuit || wall <= limits.max_circuits * circuit->continuous) return std::nullopt;
  const double needed = std::ceil(wall / circuit->continuous - 1e-9);
  return BrokenLimit{Misfit::circuits, fmt::format("draws up to {} at the wall, which takes {:.0f} circuits of {}", to_text(wall),
                                                   needed, to_text(circuit->continuous))};
}

std::vector<BrokenLimit> broken_limits(const Catalog& catalog, const PriceBook& prices, const Candidate& candidate,
                                       const Limits& limits, bool trains) {
  std::vector<BrokenLimit> broken;
  const auto add = [&](std::optional<BrokenLimit> one) {
    if (one) broken.push_back(std::move(*one));
  };
  if (const auto* gpu = catalog.gpus.find(candidate.gpu))
    add(broken_by_parts(prices, limits, *gpu, candidate.rig.nodes.empty() ? "" : candidate.rig.nodes.front().board));
  add(broken_by_circuits(catalog, limits, candidate.wall.peak));
  // Each of the others alone, because apply_limits() stops at the first.
  const auto alone = [&](auto member) {
    Limits one;
    one.*member = limits.*member;
    Candidate judged;
    judged.cards = candidate.cards;
    judged.purchase.total = candidate.purchase.total;
    judged.wall = candidate.wall;
    judged.best.tokens = candidate.best.tokens;
    judged.best.inference = candidate.best.inference;
    apply_limits(judged, one, trains);
    if (judged.misfit != Misfit::none) broken.push_back({judged.misfit, judged.why_not});
  };
  alone(&Limits::max_cards);
  alone(&Limits::budget);
  alone(&Limits::max_watts);
  if (candidate.best.fits) alone(&Limits::min_tokens);
  return broken;
}

PriceBook prices_for(const Catalog& catalog, const Limits& limits) {
  PriceBook prices{catalog};
  if (!limits.condition) return prices;
  auto policy = catalog.price_policy;
  policy.condition = limits.condition;
  for (const auto& gpu : catalog.gpus.entries) {
    if (!prices.find(gpu.id)) continue;
    if (const auto price = price_from_rows(catalog.price_rows(gpu.id), catalog.exchange, policy))
      prices.replace(gpu.id, *price);
    else
      prices.remove(gpu.id);
  }
  return prices;
}

}  // namespace rigplan
