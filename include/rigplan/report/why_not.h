// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/search/flips.h"
#include "rigplan/search/why_not.h"

namespace rigplan {

/// One figure of a build beside that of the first one.
struct ComparedFigure {
  std::string key;   ///< "price_yuan"
  std::string what;  ///< "yuan to buy"
  double mine = 0, first = 0;
};
std::vector<ComparedFigure> compared_figures(const Candidate& mine, const Candidate& first);

std::string why_not_to_text(const WhyNot& answer, const Query& query, const TransformerModel& model, const Catalog& catalog,
                            const Screen& screen = {});
/// {"schema": "rigplan/why-not/1", "query": {...}, "verdict": "out", "build": ..., "broken": [...], ...}
JsonValue why_not_to_json(const WhyNot& answer, const Query& query, const TransformerModel& model, const Catalog& catalog);

std::string flips_to_text(const FlipAnswer& answer, const Query& query, const TransformerModel& model, const Catalog& catalog,
                          const Screen& screen = {});
/// {"schema": "rigplan/flip/1", "query": {...}, "first": ..., "rows": [...]}
JsonValue flips_to_json(const FlipAnswer& answer, const Query& query, const TransformerModel& model, const Catalog& catalog);

}  // namespace rigplan
