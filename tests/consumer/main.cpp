// SPDX-License-Identifier: Apache-2.0
#include <rigplan/catalog/catalog.h>

#include <cstdio>

int main() {
  const auto catalog = rigplan::read_catalog(rigplan::built_in_catalog_files());
  std::printf("%zu cards\n", catalog.gpus.entries.size());
  return catalog.gpus.entries.empty() ? 1 : 0;
}
