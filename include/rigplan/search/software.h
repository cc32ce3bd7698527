// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/workload/job.h"

namespace rigplan {

/// How far the programs that a job needs run on a chip.
struct SoftwareVerdict {
  SupportLevel level = SupportLevel::supported;
  std::string program;                       ///< the one that decides: "bitsandbytes"
  const EngineSupport* statement = nullptr;  ///< what says so; nullptr where nothing is known of the pair
};
std::string_view to_text(SupportLevel level);
/// All levels, the most trusted one first.
std::span<const SupportLevel> support_levels();

/// Ids of the programs that a job needs: its engine; in training the framework, and the library of 4-bit weights and 8-bit
/// optimizers where the method needs it.
std::vector<std::string> programs_of(const Job& job);

/// The worst of what the catalog says of these programs on a chip. A program of which the catalog lists no chip at all is
/// judged by the others of its family.
SoftwareVerdict software_verdict(const Catalog& catalog, const Job& job, const Gpu& gpu);

/// One clause: "vLLM does not run on gfx906".
std::string software_text(const SoftwareVerdict& verdict, const Catalog& catalog, const Gpu& gpu);

/// A program of the same family that is known to run on a chip where this one does not; nullptr: none.
const Engine* fork_for(const Catalog& catalog, std::string_view program, const Gpu& gpu);

/// Whether a level is at least as good as another: supported, community, ended, unknown, unsupported.
bool at_least(SupportLevel level, SupportLevel least);

}  // namespace rigplan
