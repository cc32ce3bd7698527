// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rigplan/json/value.h"

namespace rigplan {

/// One row of an answer, and what it is called wherever it appears again.
struct ResultRow {
  std::string id;
  const JsonValue* fields = nullptr;  ///< an object
};

/// An answer in its JSON form (of rank, estimate, validate, sweep ...), seen as rows and the facts around them. Refers to the
/// value that it was made from, which must outlive it.
struct Result {
  const JsonValue* root = nullptr;
  std::vector<ResultRow> rows;

  /// The row called `id`, or nullptr.
  const ResultRow* find(std::string_view id) const;
};

/// The rows of an answer. A row is called by its "id"; else by what names it in its kind of answer: the build of a ranking, the
/// plan of an estimate, kind, metric and group of a validation. Of rows called the same the second one is "name (2)".
Result result_of(const JsonValue& root);

/// The scalar members of an object and of the objects in it, by path: "price_yuan.likely". Texts of an array stand in one value,
/// with spaces; elements that are objects have their place in the path: "purchase.0.item".
std::vector<std::pair<std::string, JsonValue>> flat_fields(const JsonValue& object);

/// The facts around the rows, by path, without schema and rows; none when the answer is not an object.
std::vector<std::pair<std::string, JsonValue>> facts_around(const Result& result);

}  // namespace rigplan
