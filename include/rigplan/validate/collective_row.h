// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/estimate/collectives/copy_time.h"
#include "rigplan/estimate/collectives/library_time.h"
#include "rigplan/json/cursor.h"
#include "rigplan/validate/measurement.h"
#include "rigplan/validate/predictor.h"

namespace rigplan {

/// Reads how people write links, engines and hosts. The patterns are tried in order, without regard to case; all that match
/// apply, and a later one overrides what an earlier one set. Groups of the pattern stand in values as $1, $2: the first
/// of several alternatives that matched.
class LinkPatterns {
 public:
  /// @throws DataError for a pattern that is no regular expression or a place to look that does not exist.
  explicit LinkPatterns(Cursor at);
  /// What is known after all patterns: "kind" -> "pcie", "gen" -> "4", ...
  std::map<std::string, std::string, std::less<>> read(const Measurement& row) const;

 private:
  struct Pattern {
    std::vector<std::string> places;
    std::regex expression;
    std::vector<std::pair<std::string, std::string>> settings;
  };
  std::vector<Pattern> patterns_;
};

/// A measured collective in the terms of the formulas.
struct CollectiveCase {
  GroupLinks links;
  CollectiveOp op{};
  Bytes size;  ///< whole buffer
  std::string stack;
  ForcedMethod forced{};
  Seconds measured;
  bool rate = false;    ///< the row states a bus bandwidth instead of a time
  std::string system;   ///< what is left out together: card, wiring and source
  std::string assumed;  ///< what the row does not say; empty: nothing
};

/// A measured copy between two cards, or a card and its host.
struct CopyCase {
  CopyLink link;
  Bandwidth measured;
  std::string system;
};

using MappedRow = std::variant<CollectiveCase, CopyCase, Skipped>;

/// Maps a row of kind collective or p2p; what it does not say comes from the card's catalog entry.
MappedRow map_collective_row(const Measurement& row, const Catalog& catalog, const LinkPatterns& patterns);

}  // namespace rigplan
