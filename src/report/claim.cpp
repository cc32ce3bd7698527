// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/claim.h"

#include <fmt/format.h>

#include <array>

#include "rigplan/report/json_values.h"
#include "rigplan/report/text_table.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr std::array verdicts{Verdict::consistent, Verdict::implausible, Verdict::impossible, Verdict::unverifiable};

int count_of(const std::vector<ClaimRow>& rows, Verdict verdict) {
  int count = 0;
  for (const auto& row : rows) count += row.checked.verdict == verdict;
  return count;
}

std::string verdict_on(const Screen& screen, Verdict verdict) {
  const auto ink = verdict == Verdict::consistent ? Ink::good : verdict == Verdict::impossible ? Ink::bad : Ink::warn;
  return painted(screen, ink, tr(to_text(verdict)));
}

std::string claim_to_text(const ClaimRow& row, const Screen& screen) {
  auto text = verdict_on(screen, row.checked.verdict) + trc("list", ": ") + tr(row.claim.says) + "\n";
  for (const auto& part : row.checked.parts) {
    const auto mark = row.checked.parts.size() > 1 ? tr(to_text(part.verdict)) + trc("list", ": ") : std::string{};
    text += fmt::format("  {}{}\n", mark, tr(part.text));
  }
  if (!row.claim.source.empty()) text += trf("  stated in: {}\n", row.claim.source);
  return text;
}

}  // namespace

std::string claims_to_text(const std::vector<ClaimRow>& rows, const Screen& screen) {
  if (rows.size() == 1) return claim_to_text(rows.front(), screen);
  TextTable table{{{trc("head", "claim"), Align::left}, {tr("verdict"), Align::left}, {tr("says"), Align::left}}};
  table.narrowed({2, 0});
  for (const auto& row : rows) table.row_with_tail({row.claim.id, verdict_on(screen, row.checked.verdict), row.claim.says});
  auto text = table.text(screen);
  for (const auto verdict : verdicts)
    text += fmt::format("{}{} {}", verdict == verdicts.front() ? std::string{} : trc("list", ", "), count_of(rows, verdict),
                        tr(to_text(verdict)));
  return text + "\n";
}

JsonValue claims_to_json(const std::vector<ClaimRow>& rows) {
  auto claims = JsonValue::array();
  for (const auto& row : rows) {
    auto parts = JsonValue::array();
    for (const auto& part : row.checked.parts)
      parts.push(JsonValue::object().set("verdict", to_text(part.verdict)).set("sum", part.text));
    claims.push(JsonValue::object()
                    .set("id", row.claim.id)
                    .set("says", row.claim.says)
                    .set("source", text_or_null(row.claim.source))
                    .set("verdict", to_text(row.checked.verdict))
                    .set("checks", std::move(parts)));
  }
  auto counts = JsonValue::object();
  for (const auto verdict : verdicts) counts.set(to_text(verdict), count_of(rows, verdict));
  return JsonValue::object()
      .set("schema", "rigplan/check-claim/1")
      .set("claims", std::move(claims))
      .set("counts", std::move(counts));
}

}  // namespace rigplan
