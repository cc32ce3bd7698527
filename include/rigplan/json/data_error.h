// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

/// Where something stands in an input. `line` counts from 1; 0 means that the input has no lines.
struct Place {
  std::string file;
  int line = 0;
  std::string pointer;  ///< JSON pointer such as "/gpus/0/vram"; empty for the whole document and for other formats

  bool operator==(const Place&) const = default;
};

/// An input that cannot be read: what() is "file:line: pointer: found; expected; did you mean".
class DataError : public std::runtime_error {
 public:
  DataError(Place place, std::string message);
  const Place& place() const { return place_; }
  /// The text behind the place.
  const std::string& message() const { return message_; }

 private:
  Place place_;
  std::string message_;
};

/// The name nearest to `wanted` by edit distance, or "" when none is near enough to be meant (at most a third of its letters
/// differ). Ties go to the earlier name.
std::string_view nearest_name(std::string_view wanted, std::span<const std::string> names);

/// `; did you mean "x"?`, or "" when nothing is near.
std::string did_you_mean(std::string_view wanted, std::span<const std::string> names);

}  // namespace rigplan
