// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/deals.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rigplan/economics/operation.h"
#include "rigplan/economics/resale.h"
#include "search/running.h"

namespace rigplan {
namespace {

void add_shipping_and_tax(Purchase& purchase, const DealQuestion& question) {
  const auto add = [&](std::string name, Range<Yuan> amount) {
    if (amount.high <= Yuan{}) return;
    purchase.lines.push_back({.kind = BillKind::other, .name = std::move(name), .each = amount, .stated = true});
    purchase.total += amount;
  };
  const auto goods = purchase.total;
  add("shipping", Range<Yuan>::exactly(question.shipping));
  add("tax", question.tax * goods);
}

/// Cards, spares and failures of a bill.
void fill_cards(const Catalog& catalog, BoughtRig& rig) {
  const auto& defaults = planning_defaults(catalog);
  Range<double> failures;
  Yuan paid;
  for (const auto& line : rig.purchase.lines) {
    if (line.kind == BillKind::spare) rig.spares += line.count;
    if (line.kind != BillKind::card) continue;
    failures +=
        line.count * (line.condition == Condition::fresh ? defaults.failures_per_year_new : defaults.failures_per_year_used);
    if (line.each) paid += line.count * line.each->likely;
  }
  rig.failures_per_year = failures.likely;
  if (failures.likely > 0) rig.failures_spread = {failures.low / failures.likely, 1, failures.high / failures.likely};
  if (rig.cards > 0) rig.card = paid / rig.cards;
  rig.support = maker_support(catalog, rig.gpu);
}

Owning owning_of(const Catalog& catalog, const BoughtRig& rig, const DealQuestion& question) {
  const auto& defaults = planning_defaults(catalog);
  const auto& schedule = question.schedule;
  Owning own{.purchase = rig.purchase.total.likely,
             .kept = {},
             .loaded = rig.loaded,
             .idle = rig.idle,
             .loaded_time = schedule.per_month(),
             .idle_time = std::min(question.idle_hours_per_day, 24 - schedule.hours_per_day) * schedule.days_per_month * hour,
             .tariff = question.tariff,
             .labour = question.own_labour_hours.value_or(rig.machines * labour_hours(defaults.labour, rig.support)) * hour,
             .labour_price = question.labour_price.value_or(defaults.labour_price),
             .upkeep_per_year = defaults.upkeep_per_year,
             .failures_per_year = rig.failures_per_year,
             .spares = rig.spares,
             .card = rig.card,
             .borrowed = question.borrowed,
             .loan_rate = question.loan_rate,
             .loan_months = question.loan_months,
             .delivery = question.delivery,
             .rented_meanwhile = {}};
  if (question.resale) {
    own.kept = {*question.resale};
    return own;
  }
  const int last = std::max(240, static_cast<int>(std::ceil(question.horizon / month)));
  for (int age = 0; age <= last; ++age) {
    const auto back = resale_of(catalog, rig.purchase, defaults, age * month).likely;
    own.kept.push_back(own.purchase > Yuan{} ? back / own.purchase : 0);
  }
  return own;
}

/// Factors around the likely value.
Range<double> factors(double low, double likely, double high) {
  if (likely <= 0) return Range<double>::exactly(1);
  return {std::min(1.0, low / likely), 1, std::max(1.0, high / likely)};
}

void set_spreads(Deal& deal, const Catalog& catalog, const BoughtRig& rig, const RentOffer& offer, YuanPerSecond per_card,
                 const DealQuestion& question) {
  const auto& defaults = planning_defaults(catalog);
  const auto at = [&](Lever lever) -> Range<double>& { return deal.spread[static_cast<std::size_t>(lever)]; };
  const auto seen = [&](const std::optional<Money>& money) {
    const auto price = money ? catalog.exchange.convert(*money) : std::nullopt;
    return price ? *price / (1 * hour) / per_card : 1;
  };
  at(Lever::rent_price) = {std::min(defaults.rent_spread.low, seen(offer.lowest)), 1,
                           std::max(defaults.rent_spread.high, seen(offer.highest))};
  const auto& price = rig.purchase.total;
  at(Lever::purchase_price) = factors(price.low.in(yuan), price.likely.in(yuan), price.high.in(yuan));
  const auto back = resale_of(catalog, rig.purchase, defaults, question.horizon);
  const auto share = [](Yuan sold, Yuan bought) { return bought > Yuan{} ? sold / bought : 0; };
  at(Lever::resale) = question.resale
                          ? Range<double>::exactly(1)
                          : factors(share(back.low, price.low), share(back.likely, price.likely), share(back.high, price.high));
  at(Lever::hours) = defaults.hours_spread;
  at(Lever::tariff) = defaults.tariff_spread;
  at(Lever::labour) = defaults.labour_spread;
  at(Lever::failures) = rig.failures_spread;
  const auto& rate = defaults.discount_per_year;
  at(Lever::discount) = question.discount_per_year ? Range<double>::exactly(1) : factors(rate.low, rate.likely, rate.high);
}

}  // namespace

TokenRate tokens_while_loaded(const Candidate& candidate, const Query& query) {
  return (1 - prefill_share(candidate.best, query.job)) * candidate.best.tokens.likely;
}

BoughtRig bought_rig(const Catalog& catalog, const PriceBook& prices, const Rig& rig, const DealQuestion& question) {
  const auto& defaults = planning_defaults(catalog);
  const BillContext bill{catalog, prices, defaults};
  const auto whole = with_supplies(bill, rig);
  BoughtRig bought;
  bought.name = rig.name;
  bought.cards = rig.cards();
  bought.machines = rig.machines();
  bought.purchase = purchase_of(bill, whole);
  for (const auto& node : whole.nodes)
    if (bought.gpu.empty() && !node.cards.empty()) bought.gpu = node.cards.front().gpu;
  const auto power = rig_power(catalog, defaults, whole);
  const auto wall = wall_power(power, dc_power(power, defaults, 1));
  bought.loaded = question.pue * wall.training;
  bought.idle = question.pue * wall.idle;
  bought.unknown_power = power.cards_unknown + power.hosts_unknown;
  add_shipping_and_tax(bought.purchase, question);
  fill_cards(catalog, bought);
  return bought;
}

BoughtRig bought_rig(const Catalog& catalog, const Candidate& candidate, const Query& query, const DealQuestion& question) {
  BoughtRig bought;
  bought.name = candidate.rig.name;
  bought.gpu = candidate.gpu;
  bought.cards = candidate.cards;
  bought.machines = candidate.rig.machines();
  bought.purchase = candidate.purchase;
  bought.loaded = candidate.loaded;
  bought.idle = candidate.idle;
  bought.unknown_power = candidate.power.cards_unknown + candidate.power.hosts_unknown;
  bought.tokens = tokens_while_loaded(candidate, query);
  add_shipping_and_tax(bought.purchase, question);
  fill_cards(catalog, bought);
  return bought;
}

std::optional<RentedRig> rented_rig(const Evaluator& evaluator, const std::string& gpu) {
  std::optional<RentedRig> best;
  for (const int cards : {1, 2, 4, 8}) {
    Rig rig;
    try {
      rig = rig_of(evaluator.catalog(), gpu, cards, "");
    } catch (const std::runtime_error&) {
      continue;  // no board of the catalog takes so many
    }
    const auto candidate = evaluator.evaluate({rig, rig.nodes.front().board, ""}, true);
    const auto rate = tokens_while_loaded(candidate, evaluator.query());
    if (!candidate.best.fits || candidate.misfit == Misfit::speed || rate <= TokenRate{}) continue;
    if (!best || cards / rate < best->cards / best->tokens) best = RentedRig{cards, rate};
  }
  return best;
}

std::optional<DealRow> deal_of(const Catalog& catalog, const BoughtRig& rig, const RentOffer& offer, int cards,
                               std::optional<TokenRate> rented_rate, const DealQuestion& question) {
  const auto price = catalog.exchange.convert(offer.per_card_hour);
  if (!price || cards < 1) return std::nullopt;
  const auto& defaults = planning_defaults(catalog);
  DealRow row;
  row.offer = &offer;
  row.per_card = *price / (1 * hour);
  row.other_card = offer.gpu != rig.gpu;
  const auto age = price_age_days(offer.date, catalog.price_policy.as_of);
  row.old = !age || *age > catalog.price_policy.max_age_days;

  // The work that the rig does in its hours is done in the same hours: slower cards are taken more than once, faster ones for
  // a part of the time.
  auto schedule = question.schedule;
  const double work = rig.tokens && rented_rate ? *rig.tokens / *rented_rate : 1;
  const int copies = std::max(1, static_cast<int>(std::ceil(work - 1e-9)));
  schedule.hours_per_day *= work / copies;
  row.cards = billed_cards(offer, cards * copies);
  row.tokens = rented_rate;

  const auto amount = [&](const std::optional<Money>& money, double times) {
    const auto converted = money ? catalog.exchange.convert(*money) : std::nullopt;
    return converted ? times * *converted : Yuan{};
  };
  row.deal = {.own = owning_of(catalog, rig, question),
              .rent = {.cards = row.cards,
                       .per_card = row.per_card,
                       .billed = billed_per_month(offer, schedule),
                       .committed = offer.commitment > Seconds{},
                       .labour = defaults.labour.rented * hour,
                       .labour_price = question.labour_price.value_or(defaults.labour_price),
                       .storage_per_month = amount(offer.storage_per_gib_month, question.storage_gib),
                       .egress_per_month = amount(offer.egress_per_gib, question.egress_gib_per_month)},
              .discount_per_year = question.discount_per_year.value_or(defaults.discount_per_year.likely),
              .horizon = question.horizon,
              .spread = {}};
  auto& deal = row.deal;
  deal.own.rented_meanwhile = deal.rent.cards * (deal.rent.billed * deal.rent.per_card);
  set_spreads(deal, catalog, rig, offer, row.per_card, question);
  row.billed = question.horizon / month * deal.rent.billed;
  row.own = cash_flow(deal.own, deal.horizon);
  row.rent = cash_flow(deal.rent, deal.horizon);
  row.own_value = row.own.present_value(deal.discount_per_year);
  row.rent_value = row.rent.present_value(deal.discount_per_year);
  row.break_even = break_even_time(deal);
  row.break_even_month = break_even_month(deal);
  row.flips = flips(deal);
  row.draws = draw_deals(deal, question.draws, question.seed);
  return row;
}

}  // namespace rigplan
