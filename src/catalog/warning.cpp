// SPDX-License-Identifier: Apache-2.0
#include "catalog/readers.h"

#include <fmt/format.h>
#include "catalog/shelf_reader.h"

namespace rigplan {

void read_warnings(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("warnings"), sources, catalog.warnings.entries, [](EntryReader& reader, Warning& warning) {
    const auto text = [&](std::string_view key, std::string& target) {
      if (const auto at = reader.plain(key))
        target = at->text();
      else if (!reader.overlay())
        reader.at().fail(fmt::format("has no \"{}\"", key));
    };
    text("title", warning.title);
    text("meaning", warning.meaning);
    text("check", warning.check);
  });
}

}  // namespace rigplan
