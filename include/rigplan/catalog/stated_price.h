// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/catalog.h"

namespace rigplan {

/// The item that "gpus.some-card.price" names. @throws DataError for a family or an item that is not in the catalog
std::string priced_item(const Override& change, const Catalog& catalog);
/// What the item costs when only the override counts: "900 yuan", "120 USD". @throws DataError that names the override
Price stated_price(const Override& change, const Catalog& catalog);

}  // namespace rigplan
