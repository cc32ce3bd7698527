// SPDX-License-Identifier: Apache-2.0
// Two streams of payments for the same work are compared by their sums and by their present values: the textbook lease-or-buy
// comparison (Brealey, Myers, Allen, Principles of Corporate Finance, the chapter on leasing), without taxes on income.
#include "rigplan/economics/rent_or_buy.h"

#include <algorithm>
#include <cmath>

#include "rigplan/units/message.h"

namespace rigplan {
namespace {

int whole_months(Seconds horizon) { return static_cast<int>(std::ceil(horizon / month - 1e-9)); }

/// The share of month `m` (from 1) that lies within the horizon.
double share_of_month(Seconds horizon, int m) { return std::clamp(horizon / month - (m - 1), 0.0, 1.0); }

double kept_at(const Owning& own, Seconds age) {
  const auto last = own.kept.size() - 1;
  const double months = std::min(age / month, static_cast<double>(last));
  const auto below = static_cast<std::size_t>(months);
  if (below == last) return own.kept.back();
  const double part = months - static_cast<double>(below);
  return own.kept[below] * (1 - part) + own.kept[below + 1] * part;
}

/// Replacements that the spares do not cover, by the end of `age`.
double replacements(const Owning& own, Seconds age) {
  return std::max(0.0, own.failures_per_year * (age / (12 * month)) - own.spares);
}

void scale_hours(Deal& deal, double factor) {
  auto& own = deal.own;
  const auto wanted = std::min(factor * own.loaded_time, month);
  const double real = own.loaded_time > Seconds{} ? wanted / own.loaded_time : 1;
  own.loaded_time = wanted;
  own.idle_time = std::min(own.idle_time, month - wanted);
  if (!deal.rent.committed) deal.rent.billed *= real;
  deal.rent.egress_per_month *= real;
  own.rented_meanwhile *= real;
}

}  // namespace

std::string_view to_text(Lever lever) {
  static constexpr std::array<std::string_view, levers> names{msg("rent price"),   msg("purchase price"), msg("resale value"),
                                                              msg("hours of use"), msg("tariff"),         msg("labour"),
                                                              msg("failures"),     msg("discount rate")};
  return names[static_cast<std::size_t>(lever)];
}

CashFlow cash_flow(const Owning& own, Seconds horizon) {
  CashFlow flow;
  const int months = whole_months(horizon);
  const auto loan = own.borrowed * own.purchase;
  const int loan_months = std::min(own.loan_months, months);
  flow.pay(0, CashKind::purchase, own.purchase - loan);
  const auto instalment = monthly_instalment(loan, own.loan_rate, loan_months);
  if (loan > Yuan{} && loan_months == 0) flow.pay(0, CashKind::loan, loan);
  const auto energy = (own.loaded_time * own.loaded + own.idle_time * own.idle) * own.tariff;
  for (int m = 1; m <= months; ++m) {
    const double share = share_of_month(horizon, m), waiting = std::min(share, share_of_month(own.delivery, m));
    if (m <= loan_months) flow.pay(m, CashKind::loan, instalment);
    flow.pay(m, CashKind::rent, waiting * own.rented_meanwhile);
    flow.pay(m, CashKind::energy, (share - waiting) * energy);
    flow.pay(m, CashKind::labour, share * (own.labour * own.labour_price));
    flow.pay(m, CashKind::upkeep, share / 12 * own.upkeep_per_year * own.purchase);
    const double before = replacements(own, (m - 1) * month), after = replacements(own, std::min(m * month, horizon));
    flow.pay(m, CashKind::repairs, (after - before) * own.card);
  }
  flow.pay(months, CashKind::resale, -1 * (kept_at(own, horizon) * own.purchase));
  return flow;
}

CashFlow cash_flow(const Renting& rent, Seconds horizon) {
  CashFlow flow;
  for (int m = 1; m <= whole_months(horizon); ++m) {
    const double share = share_of_month(horizon, m);
    flow.pay(m, CashKind::rent, share * rent.cards * (rent.billed * rent.per_card));
    flow.pay(m, CashKind::labour, share * (rent.labour * rent.labour_price));
    flow.pay(m, CashKind::storage, share * rent.storage_per_month);
    flow.pay(m, CashKind::egress, share * rent.egress_per_month);
  }
  return flow;
}

Deal with_lever(Deal deal, Lever lever, double factor) {
  switch (lever) {
    case Lever::rent_price:
      deal.rent.per_card *= factor;
      deal.own.rented_meanwhile *= factor;
      break;
    case Lever::purchase_price:
      deal.own.purchase *= factor;
      deal.own.card *= factor;
      break;
    case Lever::resale:
      for (auto& share : deal.own.kept) share = std::min(1.0, factor * share);
      break;
    case Lever::hours:
      scale_hours(deal, factor);
      break;
    case Lever::tariff:
      deal.own.tariff *= factor;
      break;
    case Lever::labour:
      deal.own.labour *= factor;
      deal.rent.labour *= factor;
      break;
    case Lever::failures:
      deal.own.failures_per_year *= factor;
      break;
    case Lever::discount:
      deal.discount_per_year *= factor;
      break;
  }
  return deal;
}

Yuan saved_by_buying(const Deal& deal) {
  return cash_flow(deal.rent, deal.horizon).total() - cash_flow(deal.own, deal.horizon).total();
}

Yuan present_value_saved(const Deal& deal) {
  return cash_flow(deal.rent, deal.horizon).present_value(deal.discount_per_year) -
         cash_flow(deal.own, deal.horizon).present_value(deal.discount_per_year);
}

}  // namespace rigplan
