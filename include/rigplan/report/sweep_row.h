// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/report/screen.h"
#include "rigplan/search/candidate.h"

namespace rigplan {

/// A number in a row of a sweep: a value alone, or a part of a range.
struct SweepNumber {
  std::string_view field;  ///< named and measured as in the answers of rank and estimate: "decode_tokens_per_s"
  std::string_view part;   ///< "low", "likely", "high"; empty: the likely value alone
};
inline constexpr SweepNumber sweep_numbers[] = {{"decode_tokens_per_s", "low"},
                                                {"decode_tokens_per_s", "likely"},
                                                {"decode_tokens_per_s", "high"},
                                                {"prefill_tokens_per_s", ""},
                                                {"first_token_s", ""},
                                                {"training_tokens_per_s", ""},
                                                {"usable_tflops", ""},
                                                {"price_yuan", "low"},
                                                {"price_yuan", "likely"},
                                                {"price_yuan", "high"},
                                                {"cost_yuan", ""},
                                                {"yuan_per_usable_tflop", "low"},
                                                {"yuan_per_usable_tflop", "likely"},
                                                {"yuan_per_usable_tflop", "high"},
                                                {"yuan_per_mtoken", ""},
                                                {"card_vram_used_gib", ""},
                                                {"card_vram_usable_gib", ""},
                                                {"wall_watts", ""},
                                                {"loaded_watts", ""}};
inline constexpr std::size_t sweep_number_count = std::size(sweep_numbers);

/// One point of a sweep. Numbers that are unknown are NaN.
struct SweepRow {
  std::int64_t point = 0;
  std::vector<std::string> axis_values;  ///< one for each field of each axis
  bool fits = false;
  std::string reason, plan, limited_by;  ///< empty: none
  std::array<double, sweep_number_count> numbers{};
  std::optional<ParallelPlan> named_plan;  ///< the one that `plan` names, so that a row used again names only a new one
};

/// Fills everything but the point and its axis values.
void fill_sweep_row(const Candidate& candidate, JobKind kind, SweepRow& row);
/// The same for a point that cannot be computed.
void fill_failed_row(std::string reason, SweepRow& row);

/// Names of the columns in the order in which every form of a row has them: point, axes, fits, reason, plan, limited_by, numbers.
std::vector<std::string> sweep_column_names(const std::vector<std::string>& fields);

/// Writes rows as lines of text. Keeps the text of what stays the same from row to row. For one thread.
class SweepLines {
 public:
  explicit SweepLines(const std::vector<std::string>& fields);
  /// {"point": 0, "context": 8192, "fits": true, ...}
  void append_json(const SweepRow& row, std::string& out);
  void append_csv(const SweepRow& row, std::string& out);

 private:
  std::string_view number_text(std::size_t column, double value);

  struct Text {
    double value = 0;
    std::array<char, 32> letters{};
    std::size_t size = 0;
  };
  struct AxisText {
    std::string key;          ///< `,"context":`
    std::string value, json;  ///< of the last row
  };
  std::vector<AxisText> axes_;
  std::array<Text, sweep_number_count> texts_;
};

/// An axis value as JSON: a number where the text is one, else a string.
std::string axis_value_json(const std::string& text);

/// Rows for people.
std::string sweep_to_text(const std::vector<std::string>& fields, std::span<const SweepRow> rows, const Screen& screen = {});

}  // namespace rigplan
