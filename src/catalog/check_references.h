// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "rigplan/catalog/catalog.h"

namespace rigplan {

/// Every id by which one entry names another exists. Warning codes are checked when the catalog explains any.
/// @throws DataError with the place in `files` where the id stands and the nearest one that exists.
void check_references(const Catalog& catalog, std::span<const CatalogFile> files);

}  // namespace rigplan
