// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/host_kit.h"

#include <algorithm>

namespace rigplan {

const HostKit* host_kit_of(const Catalog& catalog, std::string_view board) {
  const auto& kits = catalog.hosts.entries;
  const auto found = std::find_if(kits.begin(), kits.end(), [&](const HostKit& kit) { return kit.board == board; });
  return found == kits.end() ? nullptr : &*found;
}

}  // namespace rigplan
