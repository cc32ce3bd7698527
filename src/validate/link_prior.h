// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/gpu.h"
#include "rigplan/estimate/collectives/group_fabric.h"
#include "rigplan/validate/measurement.h"

namespace rigplan {

/// What joins the cards of a row, from its words for the link and from what such cards have. Rows seldom say enough to rebuild
/// the rig, so this is a class with usual figures: a prior, not a prediction of the link.
GroupFabric link_prior(const Measurement& row, const Gpu& gpu, int cards, int nodes);

}  // namespace rigplan
