// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/rent_or_buy.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rigplan/economics/rent_floor.h"
#include "rigplan/economics/rent_reading.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

std::string money(Yuan amount) { return format_whole(amount.in(yuan)); }

/// The value of the deal that a lever scales, times the flip's factor.
std::string flipped_value(const Flip& flip, const DealRow& row) {
  const auto& deal = row.deal;
  const double factor = flip.factor;
  switch (flip.lever) {
    case Lever::rent_price:
      return fmt::format("{} yuan a card-hour", format_number((factor * row.per_card).in(yuan_per_hour)));
    case Lever::purchase_price:
      return fmt::format("{} yuan", money(factor * deal.own.purchase));
    case Lever::resale:
      return fmt::format("{:.0f} % of the price",
                         -100 * factor * (row.own.total(CashKind::resale) / std::max(deal.own.purchase, 0.01 * yuan)));
    case Lever::hours:
      return fmt::format("{} h a card and month", format_number((factor * deal.own.loaded_time).in(hour)));
    case Lever::tariff:
      return to_text(factor * deal.own.tariff);
    case Lever::labour:
      return fmt::format("{} h a month for owning, {} h for renting", format_number((factor * deal.own.labour).in(hour)),
                         format_number((factor * deal.rent.labour).in(hour)));
    case Lever::failures:
      return fmt::format("{} cards a year", format_number(factor * deal.own.failures_per_year));
    case Lever::discount:
      return fmt::format("{} % a year", format_number(100 * factor * deal.discount_per_year));
  }
  return {};
}

void note_purchase(RentOrBuyReport& report) {
  const auto& rig = report.rig;
  auto& notes = report.notes;
  if (rig.purchase.unknown > 0)
    notes.push_back(
        fmt::format("{} of {} lines of the bill have no price and are not in these sums: owning costs more than shown.",
                    rig.purchase.unknown, rig.purchase.lines.size()));
  if (rig.purchase.stale > 0)
    notes.push_back(fmt::format("W_PRICE_STALE: {} prices of the bill are old or undated.", rig.purchase.stale));
  if (rig.unknown_power > 0)
    notes.push_back(fmt::format("The power of {} parts is unknown and not in the energy.", rig.unknown_power));
}

void note_offers(RentOrBuyReport& report, const Catalog& catalog) {
  auto& notes = report.notes;
  const auto count = [&](auto which) { return std::count_if(report.rows.begin(), report.rows.end(), which); };
  if (const auto old = count([](const DealRow& row) { return row.old; }); old > 0)
    notes.push_back(
        fmt::format("W_PRICE_STALE: {} of {} offers are old or undated; ask for today's price.", old, report.rows.size()));
  if (!report.rig.tokens && count([](const DealRow& row) { return row.other_card; }) > 0)
    notes.push_back(
        msg("Offers of other cards are compared for equal hours of equally many cards; give --model to compare equal work."));
  const auto unsaid = count([](const DealRow& row) { return !row.offer->storage_per_gib_month || !row.offer->egress_per_gib; });
  if (unsaid > 0)
    notes.push_back(fmt::format("{} of {} offers state no price of storage or of sending data out: not in these sums.", unsaid,
                                report.rows.size()));
  const auto& first = report.rows.front();
  if (first.offer->availability && *first.offer->availability < 1)
    notes.push_back(fmt::format("{} could be had in {:.0f} % of the hours asked for; the rest of the work waits.",
                                first.offer->id, 100 * *first.offer->availability));
  if (const auto floor = rent_floor(catalog, first.offer->gpu); floor && first.per_card < floor->per_card / 2)
    notes.push_back(
        fmt::format("W_CLAIM_IMPLAUSIBLE: {} yuan a card-hour is {} of what the cheapest other offer would cost by memory and "
                    "arithmetic ({}, {} "
                    "yuan).",
                    format_number(first.per_card.in(yuan_per_hour)), fmt::format("1/{:.0f}", floor->per_card / first.per_card),
                    floor->offer->id, format_number(floor->per_card.in(yuan_per_hour))));
}

/// The rates by which offers in other currencies were changed into yuan.
void note_exchange(RentOrBuyReport& report, const Catalog& catalog) {
  std::set<std::string> currencies;
  for (const auto& row : report.rows) currencies.insert(row.offer->per_card_hour.currency);
  for (const auto& currency : currencies)
    if (const auto* rate = catalog.exchange.rate(currency))
      report.notes.push_back(fmt::format("1 {} = {} yuan ({}).", currency, format_number(rate->yuan),
                                         rate->date.empty() ? rate->source.where : rate->date));
}

void note_verdict(RentOrBuyReport& report) {
  const auto& row = report.rows.front();
  const auto saved = row.rent.total() - row.own.total(), saved_today = row.rent_value - row.own_value;
  if ((saved > Yuan{}) != (saved_today > Yuan{}))
    report.notes.push_back(msg("W_DISCOUNT_RATE: the two verdicts differ; the rate of discount decides."));
  if ((saved_today > Yuan{}) != (row.draws.buying_wins >= 0.5))
    report.notes.push_back(fmt::format(
        "The likely values speak for {}, most draws for {}: rents are expected to fall rather than rise, and hours to be missed.",
        saved_today > Yuan{} ? msg("buying") : msg("renting"), saved_today > Yuan{} ? msg("renting") : msg("buying")));
  report.notes.push_back(
      msg("W_RENT_UTILISATION: the verdict holds for this schedule; the break-even hours are what to compare with."));
  if (report.said) {
    const auto asked = plain_rent(row.cards, row.per_card, report.question.schedule, report.question.horizon);
    const auto behind = schedule_behind(*report.said, row.cards, row.per_card, report.question.schedule, report.question.horizon);
    auto text = fmt::format("The stated {} yuan are {} times the rent of this schedule ({} yuan)", money(*report.said),
                            format_number(*report.said / asked), money(asked));
    if (behind && *behind != report.question.schedule) {
      const auto hours = report.question.horizon / month * behind->per_month();
      text += fmt::format("; they belong to {:g} h on {:g} d a month: {} h a card, {} yuan.", behind->hours_per_day,
                          behind->days_per_month, format_whole(hours.in(hour)),
                          money(plain_rent(row.cards, row.per_card, *behind, report.question.horizon)));
    } else if (behind) {
      text += msg("; that agrees.");
    } else {
      text += ".";
    }
    report.notes.push_back(text);
  }
}

}  // namespace

std::string verdict_text(const DealRow& row) {
  const auto side = [](Yuan saved) {
    return saved > Yuan{} ? fmt::format("buying is cheaper by {} yuan", money(saved))
                          : fmt::format("renting is cheaper by {} yuan", money(-1 * saved));
  };
  const auto saved = row.rent.total() - row.own.total(), today = row.rent_value - row.own_value;
  return fmt::format("Undiscounted, {}; in money of the first day ({} % a year), {}", side(saved),
                     format_number(100 * row.deal.discount_per_year), side(today));
}

std::string flip_text(const Flip& flip, const DealRow& row) {
  const auto& spread = row.deal.spread[static_cast<std::size_t>(flip.lever)];
  const auto range = spread.low == spread.high
                         ? std::string{msg("given")}
                         : fmt::format("expected ×{} to ×{}", format_number(spread.low), format_number(spread.high));
  // Near 1 a factor of three digits says nothing.
  const auto change = flip.factor > 0.8 && flip.factor < 1.25 ? fmt::format("{:+.1f} %", 100 * (flip.factor - 1))
                                                              : "×" + format_number(flip.factor);
  const auto why = flip.in_range ? fmt::format("{}; {}: can happen", change, range) : fmt::format("{}; {}", change, range);
  return flip.factor > 1 ? fmt::format("{} above {} ({})", to_text(flip.lever), flipped_value(flip, row), why)
                         : fmt::format("{} below {} ({})", to_text(flip.lever), flipped_value(flip, row), why);
}

void finish_report(RentOrBuyReport& report, const Catalog& catalog) {
  std::stable_sort(report.rows.begin(), report.rows.end(),
                   [](const DealRow& a, const DealRow& b) { return a.rent_value < b.rent_value; });
  note_verdict(report);
  note_purchase(report);
  note_offers(report, catalog);
  note_exchange(report, catalog);
}

}  // namespace rigplan
