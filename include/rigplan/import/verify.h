// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/import/machine.h"
#include "rigplan/topology/graph.h"

namespace rigplan {

/// Where a machine that was built differs from its plan, and what could not be compared.
struct VerifyResult {
  struct Difference {
    std::string subject, planned, found, advice;
  };
  std::vector<Difference> differences;
  std::vector<Question> questions;
  int cards_planned = 0, cards_found = 0;
};

/// Holds a machine against the first node of a rig. Cards are paired by how well their links agree, since a plan knows no bus
/// ids: the pairing with the fewest differences counts. A link that idles at 2.5 GT/s is a question, not a difference.
VerifyResult verify(const RigGraph& plan, const ImportedMachine& machine);

}  // namespace rigplan
