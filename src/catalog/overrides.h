// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "rigplan/catalog/catalog.h"

namespace rigplan {

/// Carries out one override. A field becomes a one-entry catalog file for `lay`, so that it is read and checked as any file is;
/// `price` replaces the item's price rows by one.
/// @throws DataError that names the override.
void apply_override(const Override& change, Catalog& catalog, const std::function<void(const CatalogFile&)>& lay);

}  // namespace rigplan
