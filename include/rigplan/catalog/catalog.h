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
#include "rigplan/json/json_file.h"

namespace rigplan {

/// A catalog file on its way to being read: its text and the name to use in messages, or a file inside the program.
struct CatalogFile {
  std::string name;
  std::string text;
  const EmbeddedFile* embedded = nullptr;  ///< then `text` is empty

  std::string_view schema() const { return schema_of(embedded ? embedded->text : std::string_view{text}); }
  /// @throws DataError for text that is no JSON.
  JsonFile parse() const { return embedded ? JsonFile::read(*embedded) : JsonFile::parse(name, text); }
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
