// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "rigplan/catalog/catalog.h"

namespace rigplan {

/// The kit whose board this is, or nullptr. The first one in catalog order.
const HostKit* host_kit_of(const Catalog& catalog, std::string_view board);

}  // namespace rigplan
