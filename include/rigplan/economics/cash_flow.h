// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rigplan/units/quantity.h"

namespace rigplan {

/// What money is paid or received for.
enum class CashKind { purchase, loan, energy, labour, upkeep, repairs, rent, storage, egress, resale };
inline constexpr int cash_kinds = 10;
std::string_view to_text(CashKind kind);

/// Payments by month. Month 0 is the day on which it starts, month 1 ends a month later. Every payment is kept in whole fen, so
/// that totals are the sums of the months to the cent.
class CashFlow {
 public:
  struct Payment {
    int month = 0;
    CashKind kind{};
    std::int64_t fen = 0;
  };

  /// A negative amount is received.
  void pay(int in_month, CashKind kind, Yuan amount);

  const std::vector<Payment>& payments() const { return payments_; }
  int last_month() const;
  Yuan total() const;
  Yuan total(CashKind kind) const;
  Yuan in_month(int of_month) const;
  Yuan in_month(int of_month, CashKind kind) const;
  /// What the payments are worth on the first day: each divided by (1 + rate)^years.
  Yuan present_value(double rate_per_year) const;

 private:
  std::vector<Payment> payments_;
};

/// The equal payment at the end of each of `months` months that pays back a loan with its interest, which is charged monthly at
/// a twelfth of the yearly rate: the annuity formula.
Yuan monthly_instalment(Yuan loan, double rate_per_year, int months);

}  // namespace rigplan
