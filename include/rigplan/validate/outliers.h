// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/validate/measurement.h"

namespace rigplan {

/// A row that cannot be what it says, or that rows of the same setting contradict. It is named, never left out.
struct Outlier {
  const Measurement* row = nullptr;
  std::string reason;
};

/// Three rules, in the order of the rows:
/// - a decode rate above what reading the weights once a token takes at the card's full memory bandwidth (drafts that a larger
///   model only checks, or another card);
/// - a prompt rate below a fifth of the rate at which the same memory bandwidth would generate tokens one by one;
/// - a value more than a factor of 1.5 away from the median of at least three other rows with the same card, count, links, split,
///   engine, model shape, number format, load and (within a factor of two) lengths, three quarters of which lie within a factor
///   of 1.2 of that median.
std::vector<Outlier> find_outliers(std::span<const Measurement> rows, const Catalog& catalog);

}  // namespace rigplan
