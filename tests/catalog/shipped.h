// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/catalog.h"

namespace rigplan {

/// The catalog as the program carries it, read once.
inline const Catalog& shipped_catalog() {
  static const Catalog catalog = read_catalog(built_in_catalog_files());
  return catalog;
}

}  // namespace rigplan
