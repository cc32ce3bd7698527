// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/cash_flow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "rigplan/units/message.h"

namespace rigplan {
namespace {

Yuan yuan_of(std::int64_t fen) { return static_cast<double>(fen) / 100 * yuan; }

template <class Choose>
Yuan sum_of(const std::vector<CashFlow::Payment>& payments, Choose choose) {
  std::int64_t fen = 0;
  for (const auto& payment : payments)
    if (choose(payment)) fen += payment.fen;
  return yuan_of(fen);
}

}  // namespace

std::string_view to_text(CashKind kind) {
  static constexpr std::array<std::string_view, cash_kinds> names{msg("purchase"), msg("loan"),    msg("energy"), msg("labour"),
                                                                  msg("upkeep"),   msg("repairs"), msg("rent"),   msg("storage"),
                                                                  msg("egress"),   msg("resale")};
  return names[static_cast<std::size_t>(kind)];
}

void CashFlow::pay(int in_month, CashKind kind, Yuan amount) {
  const auto fen = static_cast<std::int64_t>(std::llround(amount.in(yuan)*100));
  if (fen != 0) payments_.push_back({in_month, kind, fen});
}

int CashFlow::last_month() const {
  int last = 0;
  for (const auto& payment : payments_) last = std::max(last, payment.month);
  return last;
}

Yuan CashFlow::total() const {
  return sum_of(payments_, [](const Payment&) { return true; });
}
Yuan CashFlow::total(CashKind kind) const {
  return sum_of(payments_, [&](const Payment& payment) { return payment.kind == kind; });
}
Yuan CashFlow::in_month(int of_month) const {
  return sum_of(payments_, [&](const Payment& payment) { return payment.month == of_month; });
}
Yuan CashFlow::in_month(int of_month, CashKind kind) const {
  return sum_of(payments_, [&](const Payment& payment) { return payment.month == of_month && payment.kind == kind; });
}

Yuan CashFlow::present_value(double rate_per_year) const {
  Yuan value;
  for (const auto& payment : payments_) value += yuan_of(payment.fen) / std::pow(1 + rate_per_year, payment.month / 12.0);
  return value;
}

Yuan monthly_instalment(Yuan loan, double rate_per_year, int months) {
  if (months <= 0) return loan;
  const double rate = rate_per_year / 12;
  if (rate <= 0) return loan / months;
  return loan * rate / (1 - std::pow(1 + rate, -months));
}

}  // namespace rigplan
