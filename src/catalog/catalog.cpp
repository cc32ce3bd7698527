// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/catalog.h"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/check_references.h"
#include "catalog/overrides.h"
#include "catalog/readers.h"
#include "rigplan/json/embedded_data.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

struct Family {
  std::string_view name;  ///< the schema is "rigplan/<name>/1"
  void (*read)(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
};

constexpr Family families[] = {
    {"gpus", read_gpus},
    {"architectures", read_architectures},
    {"engines", read_engines},
    {"support", read_support},
    {"warnings", read_warnings},
    {"boards", read_boards},
    {"cpus", read_cpus},
    {"parts", read_parts},
    {"socket_links", read_socket_links},
    {"hosts", read_hosts},
    {"planning", read_planning},
    {"sites", read_sites},
    {"prices", read_prices},
    {"exchange", read_exchange},
    {"rent", read_rent},
    {"efficiencies", read_efficiencies},
    {"tariffs", read_tariffs},
    {"circuits", read_circuits},
};

const Family* find_family(std::string_view schema) {
  for (const auto& family : families)
    if (schema == fmt::format("rigplan/{}/1", family.name)) return &family;
  return nullptr;
}

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const auto& family : families) names.push_back(fmt::format("rigplan/{}/1", family.name));
  return names;
}

void read_file(const JsonFile& file, Catalog& catalog) {
  ObjectReader root{Cursor{file}};
  const auto schema = root.required("schema");
  const auto* family = find_family(schema.text());
  if (!family)
    schema.fail(fmt::format("is \"{}\"; expected a catalog schema such as \"rigplan/gpus/1\"{}", schema.text(),
                            did_you_mean(schema.text(), schema_names())));
  root.optional("$schema");  // for editors
  const SourceTable sources{root.optional("sources")};
  family->read(file, root, sources, catalog);
  root.finish();
}

}  // namespace

template <class T>
const T* Shelf<T>::find(std::string_view id) const {
  for (const auto& entry : entries)
    if (entry.id == id) return &entry;
  for (const auto& entry : entries) {
    const auto matches = [&](const std::string& name) { return same_name(name, id); };
    if (matches(entry.id) || matches(entry.name) || std::any_of(entry.aliases.begin(), entry.aliases.end(), matches))
      return &entry;
  }
  return nullptr;
}

template <class T>
std::vector<std::string> Shelf<T>::ids() const {
  std::vector<std::string> all;
  for (const auto& entry : entries) all.push_back(entry.id);
  return all;
}

template class Shelf<Gpu>;
template class Shelf<Architecture>;
template class Shelf<Board>;
template class Shelf<Cpu>;
template class Shelf<Part>;
template class Shelf<Engine>;
template class Shelf<RentOffer>;
template class Shelf<EfficiencyCurve>;
template class Shelf<Tariff>;
template class Shelf<Circuit>;
template class Shelf<Warning>;
template class Shelf<HostKit>;
template class Shelf<PlanningDefaults>;
template class Shelf<SocketLink>;
template class Shelf<Site>;

std::vector<CatalogFile> built_in_catalog_files() {
  std::vector<CatalogFile> files;
  for (const auto& file : embedded_files())
    if (find_family(schema_of(file.text))) files.push_back({std::string{file.name}, "", &file});
  return files;
}

Catalog read_catalog(std::span<const CatalogFile> files, std::span<const Override> overrides) {
  Catalog catalog;
  for (const auto& file : files) read_file(file.parse(), catalog);
  for (const auto& change : overrides) {
    const auto lay = [&](const CatalogFile& file) { read_file(file.parse(), catalog); };
    apply_override(change, catalog, lay);
  }
  check_references(catalog, files);
  return catalog;
}

}  // namespace rigplan
