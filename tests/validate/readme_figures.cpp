// SPDX-License-Identifier: Apache-2.0
// README.md states how far predictions lie from the shipped rows; these tests fail when they get worse.
#include <catch2/catch.hpp>

#include <sstream>

#include "rigplan/validate/calibrated_family.h"
#include "rigplan/validate/errors.h"
#include "validate/shipped_rows.h"

using namespace rigplan;

namespace {

/// Room for another compiler's rounding: a tenth of a point and a fiftieth of the figure.
constexpr double points = 0.1, part = 0.02;

struct StatedFigures {
  std::string kind, metric;
  double rows = 0, predicted = 0, median = 0, p90 = 0;  ///< errors in percent
  bool operator==(const StatedFigures&) const = default;
};

/// Lines such as "| decode | tokens_per_s | 620 | 616 | 3.9 % | 17.6 % | 93.8 % |".
std::vector<StatedFigures> stated_figures(const std::string& file) {
  std::vector<StatedFigures> all;
  std::istringstream text{file_text(file)};
  std::string line;
  while (std::getline(text, line)) {
    std::vector<std::string> cells;
    std::istringstream parts{line};
    for (std::string cell; std::getline(parts, cell, '|');) cells.push_back(cell);
    if (cells.size() != 8 || cells[5].find('%') == std::string::npos) continue;
    const auto word = [](const std::string& cell) { return cell.substr(1, cell.size() - 2); };
    all.push_back(
        {word(cells[1]), word(cells[2]), std::stod(cells[3]), std::stod(cells[4]), std::stod(cells[5]), std::stod(cells[6])});
  }
  return all;
}

}  // namespace

TEST_CASE("the errors on shipped rows are not above those that README.md states") {
  std::vector<Measurement> rows;
  for (const char* name : {"speed", "reports", "memory", "collectives", "serving", "train"})
    for (auto& row : shipped_rows_of(name)) rows.push_back(std::move(row));
  const auto summary = summarize(predict_rows(rows, row_predictors(shipped_catalog())));
  const auto stated = stated_figures("README.md");
  CHECK(stated.size() == summary.size());
  for (const auto& figures : stated) {
    CAPTURE(figures.kind, figures.metric);
    const auto found = std::ranges::find_if(
        summary, [&](const ErrorSummary& s) { return s.kind == figures.kind && s.metric == figures.metric; });
    REQUIRE(found != summary.end());
    CHECK(found->rows == figures.rows);
    CHECK(found->predicted >= figures.predicted);
    CHECK(100 * *found->median_abs_error <= figures.median * (1 + part) + points);
    CHECK(100 * *found->p90_abs_error <= figures.p90 * (1 + part) + points);
  }
}

TEST_CASE("README.zh-CN.md states the same errors as README.md") {
  const auto english = stated_figures("README.md");
  CHECK(!english.empty());
  CHECK(stated_figures("README.zh-CN.md") == english);
}
