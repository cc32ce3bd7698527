// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/catalog.h"
#include "rigplan/json/figure_reader.h"
#include "rigplan/json/json_file.h"

namespace rigplan {

// One function for each kind of catalog file, called by read_catalog() for the schema "rigplan/<family>/1". The head of a file
// ("schema", "sources") is read before; each function reads the array that is called like the family, adds its entries to the
// catalog or lays them over those with the same id, and leaves ObjectReader::finish() to the caller. Entries with an id are
// read by read_shelf() of catalog/shelf_reader.h.
// @throws DataError with file, line and pointer.
void read_gpus(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_architectures(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_engines(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_support(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_boards(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_cpus(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_parts(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_socket_links(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_prices(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_exchange(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_rent(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_efficiencies(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_tariffs(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_circuits(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_hosts(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_planning(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_sites(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);
void read_warnings(const JsonFile&, ObjectReader&, const SourceTable&, Catalog&);

}  // namespace rigplan
