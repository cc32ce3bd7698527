// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/json/cursor.h"
#include "rigplan/json/figure.h"

namespace rigplan {

/// "2026", "2026-02" or "2026-02-07", a day that the calendar has.
std::string read_calendar_date(Cursor at);

/// The table of sources at the head of a data file: short key -> where and when.
///   "sources": { "tpu": { "where": "https://...", "date": "2026-02-07" } }
class SourceTable {
 public:
  SourceTable() = default;
  explicit SourceTable(std::optional<Cursor> sources);
  /// One key or an array of keys.
  Sources find(Cursor keys) const;
  const Source& one(Cursor key) const;  ///< where only one will do

 private:
  const Sources& found(Cursor key) const;

  std::map<std::string, Sources, std::less<>> sources_;  ///< of one each
  std::vector<std::string> keys_;
};

/// Reads the fields of one catalog entry and keeps each one's source beside it. A field is either a plain value, which has the
/// entry's own "source" and "kind" ("quoted" where it has none), or says more:
///   "source": "tpu",
///   "vram": "16 GiB",
///   "board_power": { "value": "250 W", "kind": "quoted", "source": "launch",
///                    "also": [ { "value": "300 W", "source": "seed" } ] }
class FigureReader {
 public:
  /// Reads id, name, aliases, notes, source and kind of `entry`; a figure that `entry` has already is replaced when it is read.
  /// `fallback_source` is the source of fields that have none; empty: that is an error.
  /// @throws DataError as Cursor does.
  FigureReader(Cursor at, const SourceTable& sources, Entry& entry, std::string fallback_source = "");

  Cursor required(std::string_view field);
  std::optional<Cursor> optional(std::string_view field);
  /// A key that is not a fact and needs no source.
  std::optional<Cursor> plain(std::string_view key) { return object_.optional(key); }

  template <class Q>
  std::optional<Q> optional_quantity(std::string_view field) {
    const auto at = optional(field);
    if (!at) return std::nullopt;
    return at->quantity<Q>();
  }
  /// Unknown keys are errors, and so is a field without any source.
  void finish() const { object_.finish(); }
  const Cursor& at() const { return object_.at(); }

 private:
  Cursor note(std::string_view field, Cursor found);

  ObjectReader object_;
  const SourceTable& sources_;
  Entry& entry_;
  Sources default_sources_;
  FigureKind default_kind_ = FigureKind::quoted;
};

}  // namespace rigplan
