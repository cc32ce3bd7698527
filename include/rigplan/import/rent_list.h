// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/json/value.h"

namespace rigplan {

/// What a price list does not say, given by whoever imports it.
struct RentListOptions {
  std::string provider = "unknown";  ///< for lists without a column of providers
  std::string date;                  ///< of the list; empty: undated
  std::string currency = "USD";      ///< both formats quote in dollars
};

/// Offers of a price list and what could not be matched.
struct RentList {
  std::vector<RentOffer> offers;       ///< one for each instance type, region and terms
  std::vector<std::string> questions;  ///< card names that the catalog does not know or that mean several of its cards
  int without_gpu = 0;                 ///< rows of machines without cards, left out
};

/// Reads the instance list of a SkyPilot catalog (CSV with AcceleratorName, AcceleratorCount, Price, SpotPrice, Region) or a
/// list as gpuhunt writes it (CSV or JSON with gpu_name, gpu_count, price, spot, location, gpu_memory). Prices of an instance are
/// divided by its cards. @throws DataError with file and line.
RentList import_rent_list(const std::string& file, std::string_view text, const Catalog& catalog, const RentListOptions& options);

/// The catalog file ("schema": "rigplan/rent/1") of these offers.
JsonValue rent_catalog_json(const RentList& list, const std::string& where, const RentListOptions& options);

/// The catalog's card that a price list means by `name` with `memory` (0: not stated); empty when none or several fit.
std::string gpu_of_listing(const Catalog& catalog, std::string_view name, Bytes memory);

}  // namespace rigplan
