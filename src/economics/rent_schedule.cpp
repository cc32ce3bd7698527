// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/rent_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigplan/units/message.h"

namespace rigplan {
namespace {

constexpr double days_of_month = month / day;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// "8h" or "8 h" with 'h' as the letter; the number, or nothing.
const double* number_before(std::string_view text, char letter, std::variant<double, UnitError>& storage) {
  text = trimmed(text);
  if (text.empty() || text.back() != letter) return nullptr;
  text.remove_suffix(1);
  storage = parse_number(trimmed(text));
  return std::get_if<double>(&storage);
}

UnitError not_a_schedule(std::string_view text) {
  return {fmt::format("\"{}\" is no schedule; expected hours a day and days a month such as \"8h x 22d\", or \"24/7\"", text)};
}

}  // namespace

std::variant<RentSchedule, UnitError> parse_rent_schedule(std::string_view text) {
  if (trimmed(text) == "24/7") return RentSchedule{24, days_of_month};
  std::size_t at = std::string_view::npos, length = 1;
  for (const std::string_view times : {"x", "X", "*", "×"})
    if (const auto found = text.find(times); found != std::string_view::npos) {
      at = found;
      length = times.size();
    }
  if (at == std::string_view::npos) return not_a_schedule(text);
  std::variant<double, UnitError> first, second;
  const auto* hours = number_before(text.substr(0, at), 'h', first);
  const auto* days = number_before(text.substr(at + length), 'd', second);
  if (!hours || !days) return not_a_schedule(text);
  if (*hours < 0 || *hours > 24) return UnitError{fmt::format("\"{}\": a day has 24 hours, not {:g}", text, *hours)};
  if (*days < 0 || *days > 31) return UnitError{fmt::format("\"{}\": a month has at most 31 days, not {:g}", text, *days)};
  return RentSchedule{*hours, std::min(*days, days_of_month)};
}

std::string to_text(const RentSchedule& schedule) {
  if (schedule == RentSchedule{24, days_of_month}) return msg("day and night");
  return fmt::format("{:g} h × {:.4g} d a month", schedule.hours_per_day, schedule.days_per_month);
}

Seconds billed_per_month(const RentOffer& offer, const RentSchedule& schedule) {
  if (offer.commitment > Seconds{}) return month;
  if (schedule.per_month() <= Seconds{}) return {};
  auto of_day = std::max(schedule.hours_per_day * hour + offer.start_up, offer.minimum);
  if (offer.billing_grain > Seconds{}) of_day = std::ceil(of_day / offer.billing_grain - 1e-9) * offer.billing_grain;
  return std::min(schedule.days_per_month * of_day, month);
}

int billed_cards(const RentOffer& offer, int cards) {
  const int each = std::max(1, offer.cards);
  return (cards + each - 1) / each * each;
}

}  // namespace rigplan
