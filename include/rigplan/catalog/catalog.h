// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/board.h"
#include "rigplan/catalog/engine.h"
#include "rigplan/catalog/gpu.h"
#include "rigplan/catalog/host_kit.h"
#include "rigplan/catalog/part.h"
#include "rigplan/catalog/planning.h"
#include "rigplan/catalog/power.h"
#include "rigplan/catalog/price.h"
#include "rigplan/catalog/socket_link.h"

namespace rigplan {

/// The text of a catalog file and the name to use in messages.
struct CatalogFile {
  std::string name;
  std::string text;
};

/// A warning code and what people should know about it.
struct Warning : Entry {
  std::string title, meaning, check;
};

/// Entries of one kind, in file order, found by id or alias.
template <class T>
class Shelf {
 public:
  std::vector<T> entries;
  /// By id, or by name or alias without regard to case; nullptr when there is none.
  const T* find(std::string_view id) const;
  std::vector<std::string> ids() const;
};

/// Everything that is known of hardware and money, by id.
struct Catalog {
  Shelf<Gpu> gpus;
  Shelf<Architecture> architectures;
  Shelf<Board> boards;
  Shelf<Cpu> cpus;
  Shelf<Part> parts;
  Shelf<SocketLink> socket_links;
  Shelf<Engine> engines;
  std::vector<EngineSupport> support;
  Shelf<RentOffer> rent;
  Shelf<EfficiencyCurve> efficiencies;
  Shelf<Tariff> tariffs;
  Shelf<Circuit> circuits;
  Shelf<Site> sites;
  Shelf<Warning> warnings;
  Shelf<HostKit> hosts;
  Shelf<PlanningDefaults> planning;  ///< the first entry is in force
  std::vector<PriceRow> prices;
  Exchange exchange;
  PricePolicy price_policy;

  /// The price of an item by the rule of price_from_rows(), or nothing when it has no row.
  std::optional<Price> price(std::string_view item) const;
  std::vector<const PriceRow*> price_rows(std::string_view item) const;
};

/// "gpus.mi50-32gb.price=900 yuan": one value for one run.
struct Override {
  std::string path;  ///< family.id.field; the field `price` sets the price of any item
  std::string value;
};

/// Reads catalog files in order; an entry whose id was read before replaces only the fields that it states.
/// @throws DataError with file, line and pointer.
Catalog read_catalog(std::span<const CatalogFile> files, std::span<const Override> overrides = {});

/// The files compiled into the program.
std::vector<CatalogFile> built_in_catalog_files();

}  // namespace rigplan
