// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/engine.h"

#include "catalog/readers.h"
#include "catalog/shelf_reader.h"

namespace rigplan {
namespace {

constexpr std::string_view levels[] = {"supported", "community", "ended", "unsupported", "unknown"};

void read_engine(EntryReader& reader, Engine& engine) {
  reader.required("family", engine.family);
  reader.optional("splits", engine.splits);
  if (const auto vendors = reader.optional("vendors"))
    for (const auto& vendor : vendors->elements()) engine.vendors.push_back(static_cast<Vendor>(vendor.one_of(vendor_names())));
  reader.optional("formats", engine.formats);
  reader.optional("batches_streams", engine.batches_streams);
  reader.optional("trains", engine.trains);
}

void read_support_row(EntryReader& reader, EngineSupport& support) {
  reader.required("engine", support.engine);
  reader.required("architecture", support.architecture);
  reader.required("level", support.level, levels);
  reader.optional("last_good_version", support.last_good_version);
  reader.optional("detail");
  reader.warnings(support.warnings);
}

}  // namespace

void read_engines(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("engines"), sources, catalog.engines.entries, read_engine);
}

void read_support(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("support"), sources, catalog.support, read_support_row);
}

}  // namespace rigplan
