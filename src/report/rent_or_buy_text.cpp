// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rigplan/report/rent_or_buy.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

std::string whole_yuan(Yuan amount) { return format_whole(amount.in(yuan)); }

std::string horizon_text(Seconds horizon) { return trf("{} months", format_number(horizon.in(month))); }

/// "4,224 h a card, 24 % of all hours"
std::string hours_text(const RentOrBuyReport& report) {
  const auto& question = report.question;
  const auto used = question.horizon / month * question.schedule.per_month();
  return trf("{} h a card ({:.0f} % of all hours), {} card-hours", format_whole(used.in(hour)),
             100 * (question.schedule.per_month() / month), format_whole(report.rig.cards * used.in(hour)));
}

std::string rent_question_text(const RentOrBuyReport& report) {
  const auto& question = report.question;
  const auto& own = report.rows.front().deal.own;
  auto text = report.job.empty() ? std::string{} : tr(report.job) + "\n";
  text += trf("{}{} · {} for {}: {}\n", report.rig.name.empty() ? "" : report.rig.name + " · ", report.build,
              to_text(question.schedule), horizon_text(question.horizon), hours_text(report));
  text += trf("idle {:g} h on those days · {} · PUE {:g} · labour {} h a month owning, {} h renting, at {} · {} % a year\n",
              own.idle_time.in(hour) / std::max(question.schedule.days_per_month, 1e-9), to_text(own.tariff), question.pue,
              format_number(own.labour.in(hour)), format_number(report.rows.front().deal.rent.labour.in(hour)),
              to_text(own.labour_price), format_number(100 * report.rows.front().deal.discount_per_year));
  return text;
}

std::string break_even_text(const DealRow& row) {
  if (!row.break_even) return tr("never");
  return fmt::format("{} h ({:.0f} %)", format_whole(row.break_even->in(hour)), 100 * (*row.break_even / row.deal.horizon));
}

std::string offers_text(const RentOrBuyReport& report, const Screen& screen) {
  TextTable table{{{tr("offer"), Align::left},
                   {tr("cards"), Align::right},
                   {tr("yuan/card-h"), Align::right},
                   {tr("card-hours"), Align::right},
                   {tr("rent in all"), Align::right},
                   {tr("buying saves"), Align::right},
                   {tr("in today's yuan"), Align::right},
                   {tr("even at h a card"), Align::right},
                   {tr("after"), Align::right},
                   {tr("buying wins in"), Align::right}}};
  table.narrowed({0}, {3, 4, 8, 5, 1, 7, 9});
  constexpr std::size_t most = 8;
  const auto shown = report.all_offers ? report.rows.size() : std::min(most, report.rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = report.rows[i];
    table.row({row.offer->id + (row.old ? tr(" (old)") : ""), std::to_string(row.cards),
               format_number(row.per_card.in(yuan_per_hour)), format_whole(row.cards * row.billed.in(hour)),
               whole_yuan(row.rent.total()), whole_yuan(row.rent.total() - row.own.total()),
               whole_yuan(row.rent_value - row.own_value), break_even_text(row),
               row.break_even_month ? trf("{} mo", *row.break_even_month) : tr("never"),
               fmt::format("{:.0f} %", 100 * row.draws.buying_wins)});
  }
  auto text = table.text(screen);
  if (shown < report.rows.size()) text += trf("    {} dearer offers more (--all)\n", report.rows.size() - shown);
  return text;
}

/// Owning and the first offer side by side, by what is paid for.
std::string sums_text(const RentOrBuyReport& report, const Screen& screen) {
  const auto& row = report.rows.front();
  TextTable table{{{tr("yuan over the horizon"), Align::left},
                   {tr("owning"), Align::right},
                   {trf("renting {}", row.offer->id), Align::right}}};
  table.narrowed({0});
  const auto cell = [](Yuan amount) { return amount == Yuan{} ? std::string{"-"} : whole_yuan(amount); };
  for (int i = 0; i < cash_kinds; ++i) {
    const auto kind = static_cast<CashKind>(i);
    const auto own = row.own.total(kind), rent = row.rent.total(kind);
    if (own == Yuan{} && rent == Yuan{}) continue;
    const auto unknown = kind == CashKind::purchase && report.rig.purchase.unknown > 0
                             ? trf(" + {} unknown", report.rig.purchase.unknown)
                             : std::string{};
    table.row({tr(to_text(kind)), cell(own) + unknown, cell(rent)});
  }
  const auto& draws = row.draws;
  const auto with_spread = [](const Range<Yuan>& range) {
    return fmt::format("{} [{}–{}]", whole_yuan(range.likely), format_number(range.low.in(yuan)),
                       format_number(range.high.in(yuan)));
  };
  table.row({tr("in all"), with_spread(draws.own), with_spread(draws.rent)});
  table.row({tr("in money of the first day"), whole_yuan(row.own_value), whole_yuan(row.rent_value)});
  const auto used = report.question.horizon / month * report.question.schedule.per_month();
  const auto each = [](Yuan amount, double count) {
    return count > 0 ? format_number(amount.in(yuan) / count) : std::string{"-"};
  };
  table.row({tr("yuan a card-hour"), each(row.own.total(), report.rig.cards * used.in(hour)),
             each(row.rent.total(), row.cards * row.billed.in(hour))});
  if (report.rig.tokens) {
    const auto tokens = (*report.rig.tokens * used).in(Mtoken);
    table.row({tr("yuan a million tokens"), each(row.own.total(), tokens), each(row.rent.total(), tokens)});
    if (report.question.run > Tokens{}) {
      const double runs = tokens / report.question.run.in(Mtoken);
      table.row(
          {trf("yuan a run of {}", to_text(report.question.run)), each(row.own.total(), runs), each(row.rent.total(), runs)});
    }
  }
  return table.text(screen);
}

std::string months_text(const RentOrBuyReport& report, const Screen& screen) {
  const auto& row = report.rows.front();
  const int last = std::max(row.own.last_month(), row.rent.last_month());
  std::set<int> shown{0, 1, 2, 3, last};
  for (int m = 6; m<last; m += last> 24 ? 12 : last > 12 ? 6 : 3) shown.insert(m);
  if (report.every_month)
    for (int m = 0; m <= last; ++m) shown.insert(m);
  TextTable table{{{tr("month"), Align::right},
                   {tr("owning pays"), Align::right},
                   {tr("so far"), Align::right},
                   {tr("renting pays"), Align::right},
                   {tr("so far"), Align::right}}};
  Yuan own, rent;
  for (int m = 0; m <= last; ++m) {
    own += row.own.in_month(m);
    rent += row.rent.in_month(m);
    if (shown.count(m))
      table.row({std::to_string(m), whole_yuan(row.own.in_month(m)), whole_yuan(own), whole_yuan(row.rent.in_month(m)),
                 whole_yuan(rent)});
  }
  return table.text(screen);
}

std::string turning_text(const RentOrBuyReport& report) {
  const auto& row = report.rows.front();
  auto text = tr("What would turn the verdict, nearest first:\n");
  for (const auto& flip : row.flips) text += "  " + tr(flip_text(flip, row)) + "\n";
  if (row.flips.empty()) return tr("No value of a single input turns the verdict.\n");
  if (std::none_of(row.flips.begin(), row.flips.end(), [](const Flip& flip) { return flip.in_range; }))
    text += tr("  Nothing within the expected ranges does it alone.\n");
  return text;
}

/// The sum that advertisements leave out: how long the price of the cards would rent them.
std::string paid_hours_text(const RentOrBuyReport& report) {
  const auto& row = report.rows.front();
  Yuan cards;
  for (const auto& line : report.rig.purchase.lines)
    if (line.kind == BillKind::card && line.each) cards += line.count * line.each->likely;
  if (cards <= Yuan{} || row.rent.total(CashKind::rent) <= Yuan{}) return {};
  const auto hours = hours_paid_by(cards, row.cards, row.per_card);
  return trf(
      "The price of the cards alone, {} yuan, rents {} for {} h each ({} years day and night, {} times this horizon's rent)\n"
      "before power, labour and resale.\n",
      whole_yuan(cards), row.cards == 1 ? msg("one") : format_whole(row.cards), format_whole(hours.in(hour)),
      format_number(hours / (12 * month)), format_number(cards / row.rent.total(CashKind::rent)));
}

}  // namespace

std::string rent_or_buy_to_text(const RentOrBuyReport& report, const Screen& screen) {
  const auto& row = report.rows.front();
  auto text = rent_question_text(report);
  if (report.rows.size() > 1) {
    const auto dearer =
        std::count_if(report.rows.begin(), report.rows.end(), [](const DealRow& one) { return one.rent_value > one.own_value; });
    text += trf("Buying is cheaper than {} of {} offers, in money of the first day. Against the cheapest, {}:\n", dearer,
                report.rows.size(), row.offer->id);
  }
  text += tr(verdict_text(row)) + trf(".\nBuying wins in {:.0f} % of {} draws over the ranges of all inputs.\n\n",
                                      100 * row.draws.buying_wins, row.draws.count);
  text += offers_text(report, screen) + "\n" + sums_text(report, screen) + "\n" + months_text(report, screen) + "\n" +
          turning_text(report) + paid_hours_text(report);
  for (const auto& note : report.notes) text += tr(note) + "\n";
  for (const auto& line : report.next) text += tr(line) + "\n";
  return text;
}

}  // namespace rigplan
