// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/search/evaluator.h"
#include "rigplan/search/space.h"
#include "rigplan/workload/model_library.h"

namespace rigplan {

/// What a reader of a ranking may change; what is not set stays as it was asked.
struct WhatIf {
  std::optional<double> context_tokens, tariff_yuan_per_kwh, hours_per_day;
  std::optional<int> users, most_cards;
  std::string priced_gpu;  ///< empty: no price is changed
  double price_yuan = 0;
};

/// The builds of one ranking under changed questions, computed as `rigplan rank` does with the built-in catalog.
class RankingUnderChange {
 public:
  /// @param ranking an answer of `rigplan rank`. @throws std::runtime_error when it cannot be computed again: it is about
  /// training, about several number formats, or about a model or a build that the built-in catalog does not have.
  explicit RankingUnderChange(const JsonValue& ranking);

  /// {"rows": [{"row": index in the ranking, "fits", "price_yuan", "tokens_per_s", "cost_yuan", "value"}]}: builds that hold the
  /// job first, by the ranking's measure.
  JsonValue rows(const WhatIf& change);
  /// [{"gpu": id, "name", "price_yuan"}]: the cards of the ranking.
  JsonValue cards() const;

 private:
  void read_question(const JsonValue& query);
  void find_builds(const JsonValue& rows);
  void set_price(const WhatIf& change);

  Catalog catalog_;
  Calibrations calibrations_;
  ModelLibrary models_;
  const TransformerModel* model_ = nullptr;
  Query query_;
  std::vector<Build> builds_;  ///< one for each row
  std::string priced_gpu_;     ///< whose rows are in the place of `rows_`
  std::vector<PriceRow> rows_;
};

}  // namespace rigplan
