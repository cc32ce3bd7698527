// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/catalog.h"

#include "rigplan/json/embedded_data.h"
#include "rigplan/json/json_file.h"

namespace rigplan {

std::vector<CatalogFile> built_in_catalog_files() {
  std::vector<CatalogFile> files;
  for (const auto& file : embedded_files()) files.push_back({std::string{file.name}, std::string{file.text}});
  return files;
}

Catalog read_catalog(std::span<const CatalogFile> files, std::span<const Override>) {
  for (const auto& file : files) JsonFile::parse(file.name, file.text);
  return {};
}

}  // namespace rigplan
