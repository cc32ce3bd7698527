// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/import/machine.h"

namespace rigplan {

/// The cards of the catalog that an imported device may be: by id, by a name that holds the catalog's or is held by it, else all
/// of its architecture.
std::vector<const Gpu*> card_candidates(const Catalog& catalog, const ImportedDevice& card);

}  // namespace rigplan
