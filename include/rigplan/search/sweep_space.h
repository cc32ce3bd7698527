// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rigplan {

/// Why a text is not an axis.
struct AxisError {
  std::string message;
};

/// Whether a field counts tokens, so that "8k" is 8192 and may stand in a range.
using CountsTokens = std::function<bool(std::string_view field)>;

/// The values of one field, in order: single ones and ranges. Ranges are kept as such, so that an axis of ten million values
/// takes no memory.
class AxisValues {
 public:
  /// A value as it stands.
  void add(std::string text);
  /// "2", "8k..128k*2", "100..200+25", "1..8" (steps of 1), "8k": one element of a list. Ends of a range are numbers, both with
  /// the same unit behind them or none; the last step never goes beyond the end.
  /// @return the fault, or an empty text
  std::string add_element(std::string_view element, bool counts_tokens);

  std::int64_t size() const { return size_; }
  /// The text of a value; ranges write numbers so that reading gives the same double.
  std::string text(std::int64_t index) const;

 private:
  struct Run {
    std::string single;  ///< used when count is 1 and there is no range
    double first = 0, step = 0;
    bool multiplies = false, range = false;
    std::string unit;
    std::int64_t begin = 0, count = 1;
  };
  std::string add_range(std::string_view element, std::size_t dots, bool counts_tokens);

  std::vector<Run> runs_;
  std::int64_t size_ = 0;
};

/// One axis: a field, or several that take their values together.
struct SweepAxis {
  std::vector<std::string> fields;
  std::vector<AxisValues> values;  ///< one for each field, all of the same size
  std::int64_t size() const { return values.empty() ? 0 : values.front().size(); }
};

/// "cards=2,4,8", "context=8k..128k*2", or linked: "cards,users=2:1,4:8,8:16".
std::variant<SweepAxis, AxisError> parse_axis(std::string_view text, const CountsTokens& counts_tokens);

/// All combinations of the values of some axes; the last axis moves fastest. No axis: one point.
class SweepSpace {
 public:
  static constexpr std::int64_t most_points = std::int64_t{1} << 53;  ///< beyond it point numbers are not exact in JSON

  /// @throws std::overflow_error for more than most_points points
  explicit SweepSpace(std::vector<SweepAxis> axes);

  std::int64_t points() const { return points_; }
  std::span<const SweepAxis> axes() const { return axes_; }
  /// The index on each axis of a point.
  void coordinates(std::int64_t point, std::vector<std::int64_t>& indices) const;

 private:
  std::vector<SweepAxis> axes_;
  std::int64_t points_ = 1;
};

/// Points [begin, end) of the i-th of n equal parts, i from 1; parts lie one behind the other and cover everything.
struct PointRange {
  std::int64_t begin = 0, end = 0;
};
PointRange shard_of(std::int64_t points, std::int64_t i, std::int64_t n);

}  // namespace rigplan
