// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigplan/json/figure.h"
#include "rigplan/json/value.h"
#include "rigplan/search/candidate.h"
#include "rigplan/search/evaluator.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// One term of a result: what it is, its value, how it comes about, and the terms below it. Leaves are catalog figures with
/// their sources.
struct Term {
  std::string name, value;
  std::string formula;  ///< empty for leaves
  std::string kind;     ///< of a leaf: "quoted", "measured", "inferred", "fitted", "given"
  std::string file;     ///< where a leaf was read
  std::vector<Source> sources;
  std::vector<std::string> also;  ///< what other sources say of the same field
  std::vector<Term> parts;
};

/// A catalog field as a leaf. A field that the entry's file does not state gives a leaf with the value "unknown".
Term figure_term(const Entry& entry, std::string_view field, std::string_view name = {});

/// The tree of yuan per usable TFLOP/s of a candidate, down to catalog figures and fitted constants.
/// @param calibrations those that the candidate was computed with
Term explain_candidate(const Candidate& candidate, const Query& query, const TransformerModel& model, const Catalog& catalog,
                       const Calibrations& calibrations);

std::string explanation_to_text(const Term& term);
/// {"schema": "rigplan/explain/1", "term": {...}}
JsonValue explanation_to_json(const Term& term);

}  // namespace rigplan
