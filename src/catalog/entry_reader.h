// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/gpu.h"
#include "rigplan/json/figure_reader.h"

namespace rigplan {

/// Reads the fields of one catalog entry into a struct that is either new or read before from another file. In the second case
/// (an overlay) only the fields that the file states are replaced, and no field is required.
/// All functions leave the target alone when the field is absent, and throw DataError when it is out of range.
class EntryReader {
 public:
  /// An entry whose id is set already is overlaid.
  EntryReader(Cursor at, const SourceTable& sources, Entry& entry, const std::string& file);

  bool overlay() const { return overlay_; }

  /// A field as it stands, for what the functions below do not cover.
  std::optional<Cursor> required(std::string_view field);
  std::optional<Cursor> optional(std::string_view field) { return figures_.optional(field); }
  /// A key that is no fact and needs no source.
  std::optional<Cursor> plain(std::string_view key) { return figures_.plain(key); }

  template <class Q>
  void required(std::string_view field, Q& target, Q least, Q greatest);
  template <class Q>
  void optional(std::string_view field, std::optional<Q>& target, Q least, Q greatest);

  void required(std::string_view field, std::string& target);
  void optional(std::string_view field, std::string& target);
  void optional(std::string_view field, std::vector<std::string>& target);
  void optional(std::string_view field, bool& target);
  void optional(std::string_view field, int& target, int least, int greatest);
  void optional(std::string_view field, double& target, double least, double greatest);
  void optional(std::string_view field, std::optional<PcieLink>& target);
  void required(std::string_view field, PcieLink& target);

  /// An enumeration whose values are written as `names`, in the order of the enumerators.
  template <class E>
  void required(std::string_view field, E& target, std::span<const std::string_view> names) {
    if (const auto at = required(field)) target = static_cast<E>(at->one_of(names));
  }
  template <class E>
  void optional(std::string_view field, E& target, std::span<const std::string_view> names) {
    if (const auto at = optional(field)) target = static_cast<E>(at->one_of(names));
  }
  /// "warnings": codes such as "W_VBIOS"; that each is explained is checked when all files are read.
  void warnings(std::vector<std::string>& target);

  void finish() const { figures_.finish(); }
  const Cursor& at() const { return figures_.at(); }

 private:
  bool overlay_;
  FigureReader figures_;
};

/// A quantity within [least, greatest].
template <class Q>
Q read_within(Cursor at, Q least, Q greatest);

/// "PCIe 4.0 x16": generations 1.0 to 7.0; 1, 2, 4, 8, 12, 16 or 32 lanes.
PcieLink read_pcie_link(Cursor at);
std::string to_text(PcieLink);

std::span<const std::string_view> vendor_names();  ///< in the order of Vendor

}  // namespace rigplan
