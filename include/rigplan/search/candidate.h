// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/economics/merit.h"
#include "rigplan/economics/power.h"
#include "rigplan/economics/purchase.h"
#include "rigplan/simulate/inference.h"
#include "rigplan/simulate/training.h"
#include "rigplan/topology/rig.h"
#include "rigplan/workload/job.h"

namespace rigplan {

/// One item of a card's memory.
struct MemoryPart {
  std::string_view name;  ///< "weights", "KV cache", ...
  Bytes size;
};

/// What one card holds and what it can.
struct CardUse {
  int card = 0;
  Bytes usable;  ///< what driver and desktop leave
  Bytes used;
  std::vector<MemoryPart> parts;
  Bytes free() const { return usable - used; }
};

/// What a job does on a rig under one plan.
struct PlanResult {
  ParallelPlan plan;
  bool fits = false;
  std::string shortfall;                  ///< why not, and what would make it fit; empty when it fits
  std::vector<CardUse> memory;            ///< the fullest card first; of one replica
  Bytes weights, kv;                      ///< of all cards of one replica
  PeerOverPcie peer = PeerOverPcie::yes;  ///< worst verdict between the cards that must talk; yes where none must
  std::string link_bottleneck;            ///< of the group; empty where nothing is sent
  std::optional<InferenceSpeed> inference;
  std::optional<TrainingStep> training;

  Range<FlopRate> usable;   ///< of the whole build; zero when it does not fit
  Range<TokenRate> tokens;  ///< decode of all users, or trained tokens, of the whole build
  std::string limited_by;
  std::vector<std::string> warnings;  ///< that come from the plan itself; kept for plans beside the best one
};

/// Why a build is not ranked.
enum class Misfit {
  none,
  software,  ///< a program of the job does not run on the card, or nobody says that it does
  memory,    ///< the job does not fit into the cards
  no_plan,   ///< no way to divide the job over the cards
  no_slots,  ///< the cards do not fit onto the board
  budget,
  cards,
  watts,
  circuits,
  speed,          ///< below the least rate asked for
  cooling,        ///< cards of a kind of cooling that is not wanted
  old_price,      ///< the price of the cards or of the board is older than allowed
  no_price,       ///< the cards have no price
  unknown_speed,  ///< the catalog lacks figures that the speed needs
};
std::string_view to_text(Misfit misfit);

/// A build and everything computed for it.
struct Candidate {
  Rig rig;          ///< slots and supplies assigned
  std::string gpu;  ///< id of its card kind; of the first one where they differ
  int cards = 0;
  int machines = 1;
  std::string quant, engine;  ///< what the question asked about: number format and program
  std::string host;           ///< id of the host kit, or of the board
  std::string attachment;     ///< "direct", or the id of the part that splits slots
  std::string bridge;         ///< id of the bridge between cards; empty: none
  std::string network;        ///< id of the network card between machines; empty: none
  std::string links;          ///< "PCIe 4.0 x16", or "PCIe 3.0 x1 to x16" where they differ
  Bytes vram;                 ///< of all cards

  PlanResult best;                      ///< the plan with the greatest merit, peer access counted as absent where it is unknown
  std::optional<PlanResult> with_peer;  ///< the same plan when peer access works; only where that is unknown and matters
  std::vector<PlanResult> others;       ///< the other plans that were tried, in the order of plans.h; kept on request

  Purchase purchase;
  RigPower power;
  PhasePower wall;  ///< at the wall
  Watts loaded;     ///< mean draw at the wall while the job runs, PUE included
  Watts idle;       ///< at the wall while switched on without work, PUE included
  Joules energy;    ///< over the horizon
  Cost cost;
  Merit merit;
  std::vector<std::string> warnings;

  Misfit misfit = Misfit::none;
  std::string why_not;  ///< one sentence with figures; empty when it is ranked
};

}  // namespace rigplan
