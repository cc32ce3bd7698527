// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/economics/price_book.h"
#include "rigplan/search/candidate.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// A limit that a build breaks, with figures.
struct BrokenLimit {
  Misfit misfit{};
  std::string why;  ///< one clause
};

/// Limits that cards and board break whatever they do: the kind of cooling, and prices that are too old.
std::optional<BrokenLimit> broken_by_parts(const PriceBook& prices, const Limits& limits, const Gpu& gpu,
                                           const std::string& board);
/// More circuits than allowed, of the kind that the planning defaults name, for this draw at the wall.
std::optional<BrokenLimit> broken_by_circuits(const Catalog& catalog, const Limits& limits, Watts wall);

/// Every limit that a build breaks, in the order in which a ranking names them. The figures of the candidate must be known, those
/// of its speed where it fits.
std::vector<BrokenLimit> broken_limits(const Catalog& catalog, const PriceBook& prices, const Candidate& candidate,
                                       const Limits& limits, bool trains);

/// "open", "blower", ...: what each kind is called.
std::string_view to_text(Cooling cooling);

/// The prices that a question goes by: those of the catalog, of the cards only in the condition that is asked for.
PriceBook prices_for(const Catalog& catalog, const Limits& limits);

}  // namespace rigplan
