// SPDX-License-Identifier: Apache-2.0
#include "catalog/readers.h"
#include "catalog/shelf_reader.h"
#include "rigplan/catalog/board.h"

namespace rigplan {
namespace {

void read_cpu(EntryReader& reader, Cpu& cpu) {
  reader.required("socket", cpu.socket);
  reader.required("microarchitecture", cpu.microarchitecture);
  reader.required("vendor", cpu.vendor, vendor_names());
  if (const auto lanes = reader.required("pcie_lanes")) cpu.pcie.lanes = static_cast<int>(lanes->integer(4, 192));
  if (const auto generation = reader.required("pcie_generation"))
    cpu.pcie.generation = static_cast<int>(generation->integer(1, 7));
  reader.optional("memory_channels", cpu.memory_channels, 1, 16);
  reader.optional("memory_type", cpu.memory_type);
  reader.required("memory_bandwidth", cpu.memory_bandwidth, 1 * GB_per_s, 2000 * GB_per_s);
  reader.optional("tdp", cpu.tdp, 4 * watt, 1000 * watt);
}

}  // namespace

void read_cpus(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("cpus"), sources, catalog.cpus.entries, read_cpu);
}

}  // namespace rigplan
