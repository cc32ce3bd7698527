// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/host_kit.h"

#include "catalog/entry_reader.h"
#include "catalog/readers.h"
#include "catalog/shelf_reader.h"

namespace rigplan {
namespace {

constexpr std::string_view card_forms[] = {"pcie", "sxm", "oam", "other"};

void read_host_kit_fields(EntryReader& reader, HostKit& kit) {
  reader.required("board", kit.board);
  reader.optional("cpu", kit.cpu);
  reader.optional("cpus", kit.cpus, 0, 8);
  reader.optional("memory", kit.memory);
  reader.optional("memory_count", kit.memory_count, 0, 64);
  reader.required("memory_size", kit.memory_size, 1 * GiB, 64 * TiB);
  reader.optional("storage", kit.storage);
  reader.optional("enclosure", kit.enclosure);
  reader.optional("cooler", kit.cooler);
  reader.optional("riser", kit.riser);
  reader.optional("card_form", kit.card_form, card_forms);
  reader.optional("architectures", kit.architectures);
  reader.optional("supply", kit.supply);
  reader.optional("supply_count", kit.supply_count, 0, 16);
  reader.optional("max_cards", kit.max_cards, 0, 64);
  reader.required("idle_power", kit.idle_power, 1 * watt, 20 * kW);
  reader.required("busy_power", kit.busy_power, 1 * watt, 20 * kW);
}

}  // namespace

void read_hosts(const JsonFile& file, ObjectReader& head, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, head.required("hosts"), sources, catalog.hosts.entries, read_host_kit_fields);
}

}  // namespace rigplan
