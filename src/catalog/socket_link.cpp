// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/socket_link.h"

#include "catalog/readers.h"
#include "catalog/shelf_reader.h"

namespace rigplan {

void read_socket_links(const JsonFile& file, ObjectReader& object, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, object.required("socket_links"), sources, catalog.socket_links.entries,
             [](EntryReader& reader, SocketLink& link) {
               reader.optional("microarchitectures", link.microarchitectures);
               reader.required("rate", link.rate, 0.1 * GB_per_s, 1000 * GB_per_s);
               reader.required("latency", link.latency, Seconds{}, 100 * us);
             });
}

}  // namespace rigplan
