// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "rigplan/import/bench.h"

namespace rigplan {

/// Rows under construction; a question that was asked once is not asked again.
class BenchRows {
 public:
  BenchRows(std::string name, const Catalog& catalog, const BenchFacts& facts)
      : name_{std::move(name)}, catalog_{catalog}, facts_{facts} {}

  const BenchFacts& facts() const { return facts_; }
  void ask(std::string subject, std::string text);
  /// The catalog id of a card that a tool calls so: the longest name of the catalog that stands in the text. Nothing and a
  /// question where several or none fit and the reader gives none.
  std::string card(std::string_view called);
  /// Model and number format of the row, from these texts in turn; what the planner cannot read becomes a question.
  void set_model(Measurement& row, std::initializer_list<std::string_view> texts);
  /// Adds a row with its id, the source and what the reader knows.
  void add(Measurement row);
  ImportedRows take() { return std::move(result_); }

 private:
  std::string name_;
  const Catalog& catalog_;
  const BenchFacts& facts_;
  std::set<std::string> asked_;
  ImportedRows result_;
};

}  // namespace rigplan
