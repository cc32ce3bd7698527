// SPDX-License-Identifier: Apache-2.0
#include "catalog/readers.h"
#include "catalog/shelf_reader.h"
#include "rigplan/catalog/gpu.h"

namespace rigplan {
namespace {

void read_architecture_fields(EntryReader& reader, Architecture& architecture) {
  reader.required("vendor", architecture.vendor, vendor_names());
  reader.required("family", architecture.family);
  reader.optional("matrix_units", architecture.matrix_units);
  reader.optional("native_bf16", architecture.native_bf16);
  reader.optional("native_fp8", architecture.native_fp8);
  reader.optional("native_fp4", architecture.native_fp4);
  reader.optional("fast_fp16", architecture.fast_fp16);
  reader.optional("peer_read_share", architecture.peer_read_share, 0, 1);
  reader.required("driver_context", architecture.driver_context, 0 * GiB, 16 * GiB);
  reader.optional("software");
  reader.warnings(architecture.warnings);
}

}  // namespace

void read_architectures(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("architectures"), sources, catalog.architectures.entries, read_architecture_fields);
}

}  // namespace rigplan
