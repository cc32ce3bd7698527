// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/check_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "rigplan/catalog/price.h"
#include "rigplan/economics/rent_floor.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"
#include "rigplan/validate/claim_sum.h"

namespace rigplan {

std::string_view to_text(Verdict verdict) {
  static constexpr std::array<std::string_view, 4> names{msg("consistent"), msg("unverifiable"), msg("implausible"),
                                                         msg("impossible")};
  return names[static_cast<std::size_t>(verdict)];
}

namespace {

bool holds(const SumCheck& check, double value) {
  const double slack = check.within * std::max(std::abs(value), std::abs(check.says));
  switch (check.relation) {
    case Relation::at_most:
      return check.says <= value + slack;
    case Relation::at_least:
      return check.says >= value - slack;
    default:
      return std::abs(check.says - value) <= slack;
  }
}

std::string number_with_unit(double value, const std::string& unit) {
  return (std::abs(value) < 1000 ? format_number(value) : format_whole(value)) + (unit.empty() ? "" : " " + unit);
}

/// "960" of "960 GB/s", or nothing.
std::optional<double> number_in_front(std::string_view text) {
  const auto end = text.find_first_not_of("0123456789.,");
  std::string digits{text.substr(0, end)};
  std::erase(digits, ',');
  const auto number = parse_number(digits);
  if (const auto* value = std::get_if<double>(&number)) return *value;
  return std::nullopt;
}

bool same_figure(const std::string& a, const std::string& b) {
  const auto x = number_in_front(a), y = number_in_front(b);
  if (x && y) return std::abs(*x - *y) <= 0.03 * std::max(std::abs(*x), std::abs(*y));
  return same_name(a, b);
}

std::string source_of(const Figure& figure) { return figure.sources.empty() ? "" : figure.sources.all().front().where; }

}  // namespace

CheckedPart check_part(const ClaimContext& context, const SumCheck& check) {
  constexpr std::array<std::string_view, 3> signs{"", msg("at most "), msg("at least ")};
  const auto said =
      fmt::format("{}{}", signs[static_cast<std::size_t>(check.relation)], number_with_unit(check.says, check.unit));
  try {
    const auto sum = compute_sum(check.sum, context.catalog, context.models);
    auto text = fmt::format("{} = {}; stated: {}", sum.spelled, number_with_unit(sum.value, check.unit), said);
    if (holds(check, sum.value)) return {Verdict::consistent, text};
    if (sum.value != 0) text = fmt::format("{} ({} times)", text, format_number(check.says / sum.value));
    // A sum over market prices is only as good as they are.
    auto verdict = sum.by_price ? Verdict::implausible : Verdict::impossible;
    for (const auto& reading : check.readings) {
      const auto other = compute_sum(reading.sum, context.catalog, context.models);
      text += fmt::format("; {}: {} = {}", reading.as, other.spelled, number_with_unit(other.value, check.unit));
      if (holds(check, other.value)) {
        text += msg(", which is what was stated");
        verdict = Verdict::implausible;
      }
    }
    return {verdict, text};
  } catch (const SumError& error) {
    return {Verdict::unverifiable, error.what()};
  }
}

CheckedPart check_part(const ClaimContext& context, const FigureCheck& check) {
  const auto* figure = find_catalog_figure(context.catalog, check.family, check.id, check.field);
  if (!figure)
    return {check.says == "none" ? Verdict::consistent : Verdict::unverifiable,
            fmt::format("the catalog has no {} of {}; stated: {}", check.field, check.id, check.says)};
  const auto where = source_of(*figure);
  auto text = fmt::format("{} of {}: {} ({}{}); stated: {}", check.field, check.id, figure->value, to_text(figure->kind),
                          where.empty() ? "" : ", " + where, check.says);
  const auto agrees = [&](const std::string& value) {
    return check.contains ? value.find(check.says) != std::string::npos : same_figure(value, check.says);
  };
  if (agrees(figure->value)) return {Verdict::consistent, text};
  if (figure->value != "unknown") return {Verdict::impossible, text};
  // Where sources disagree, a measurement against the statement refutes it as a general one.
  for (const auto& other : figure->also)
    if (other.kind == FigureKind::measured && !agrees(other.value)) {
      text += fmt::format("; measured otherwise: {}{}", other.value,
                          other.sources.empty() ? "" : " (" + other.sources.all().front().where + ")");
      return {Verdict::implausible, text};
    }
  return {Verdict::unverifiable, text};
}

CheckedPart check_part(const ClaimContext& context, const RentCheck& check) {
  const auto said = format_number(check.per_card.in(yuan_per_hour));
  const auto* gpu = context.catalog.gpus.find(check.gpu);
  if (!gpu) return {Verdict::unverifiable, fmt::format("no card \"{}\"", check.gpu)};
  // The card's own offers say most. A card whose figures are disputed has none that count.
  if (const auto offers = gpu->disputed ? std::nullopt : rent_range(context.catalog, gpu->id)) {
    const auto text = fmt::format("{} offers of this card ask {} yuan a card-hour; stated: {} yuan", offers->count,
                                  format_range(offers->per_card, yuan_per_hour), said);
    const bool near = check.per_card >= offers->per_card.low / 2 && check.per_card <= 2 * offers->per_card.high;
    return {near ? Verdict::consistent : Verdict::implausible, text};
  }
  const auto floor = rent_floor(context.catalog, check.gpu);
  if (!floor) return {Verdict::unverifiable, fmt::format("the catalog cannot say what {} should cost an hour", check.gpu)};
  const auto text = fmt::format(
      "by memory and fp16 arithmetic the cheapest offer for another card ({}) comes to {} yuan a card-hour; stated: {} yuan",
      floor->offer->id, format_number(floor->per_card.in(yuan_per_hour)), said);
  return {check.per_card < floor->per_card / 2 ? Verdict::implausible : Verdict::consistent, text};
}

CheckedPart check_part(const ClaimContext& context, const PriceCheck& check) {
  const auto price = context.catalog.price(check.item);
  const auto said = format_range({check.low.in(yuan), check.low.in(yuan), check.high.in(yuan)});
  if (!price) return {Verdict::unverifiable, fmt::format("the catalog has no price of {}; stated: {} yuan", check.item, said)};
  const auto text =
      fmt::format("{}: {} yuan ({}); stated: {} yuan", check.item, format_range(price->range, yuan), to_text(price->basis), said);
  // Used prices of one month differ by half from place to place.
  const bool near = check.high >= price->range.low / 1.5 && check.low <= 1.5 * price->range.high;
  return {near ? Verdict::consistent : Verdict::implausible, text};
}

CheckedClaim check_claim(const ClaimContext& context, const Claim& claim) {
  CheckedClaim checked;
  if (claim.checks.empty()) checked.parts.push_back({Verdict::unverifiable, claim.why});
  for (const auto& check : claim.checks)
    checked.parts.push_back(std::visit([&](const auto& one) { return check_part(context, one); }, check));
  for (const auto& part : checked.parts) checked.verdict = std::max(checked.verdict, part.verdict);
  return checked;
}

}  // namespace rigplan
