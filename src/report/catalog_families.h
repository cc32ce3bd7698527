// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "rigplan/catalog/catalog.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// Calls visit(family name, entry) for each entry of the catalog and each model, family by family.
template <class Visit>
void for_each_entry(const Catalog& catalog, std::span<const TransformerModel> models, Visit visit) {
  const auto each = [&](std::string_view family, const auto& entries) {
    for (const auto& entry : entries) visit(family, entry);
  };
  each("gpus", catalog.gpus.entries);
  each("boards", catalog.boards.entries);
  each("cpus", catalog.cpus.entries);
  each("parts", catalog.parts.entries);
  each("models", models);
  each("engines", catalog.engines.entries);
  each("architectures", catalog.architectures.entries);
  each("hosts", catalog.hosts.entries);
  each("socket_links", catalog.socket_links.entries);
  each("rent", catalog.rent.entries);
  each("tariffs", catalog.tariffs.entries);
  each("circuits", catalog.circuits.entries);
  each("sites", catalog.sites.entries);
  each("efficiencies", catalog.efficiencies.entries);
  each("planning", catalog.planning.entries);
  each("support", catalog.support);
  each("warnings", catalog.warnings.entries);
}

/// The warning codes of an entry; empty for families that carry none.
template <class T>
std::vector<std::string> warnings_of(const T& entry) {
  if constexpr (requires { entry.warnings; })
    return entry.warnings;
  else
    return {};
}

}  // namespace rigplan
