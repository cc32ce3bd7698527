// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/economics/power.h"
#include "rigplan/economics/purchase.h"
#include "rigplan/search/query.h"
#include "rigplan/topology/graph.h"

namespace rigplan {

/// What the rules of warnings look at. Each rule is a pure function of these facts and adds one code.
struct WarningFacts {
  const Catalog& catalog;
  const Query& query;
  const TransformerModel& model;
  const RigGraph& graph;
  const ParallelPlan& plan;
  const Purchase& purchase;
  const RigPower& power;
  Watts wall_peak;
  PeerOverPcie peer = PeerOverPcie::unknown;  ///< worst verdict between the cards of one group; yes where there is one card
  Bytes weights, kv;                          ///< of all cards of one replica
  std::optional<Seconds> full_prompt;         ///< time to read a prompt as long as the context
  std::optional<TokenRate> layer_rate, tensor_rate;  ///< decode of one user on the same cards, where both can run
};

/// Codes that apply, in alphabetical order. What each means is in the catalog's warnings.
std::vector<std::string> warnings_of(const WarningFacts& facts);

}  // namespace rigplan
