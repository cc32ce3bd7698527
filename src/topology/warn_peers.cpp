// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rigplan/topology/peer.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "topology/warning_rules.h"

namespace rigplan {
namespace {

/// What the pairs of a machine have in common, for one sentence each.
struct PeerCount {
  int yes = 0, no = 0, unknown = 0;
  bool window = false;                 ///< an answer hangs on the VBIOS and the memory window
  std::map<std::string, int> reasons;  ///< why not, and for how many pairs
};

PeerCount count_pairs(const NodeView& v) {
  PeerCount count;
  for (int a = 0; a < v.cards(); ++a)
    for (int b = a + 1; b < v.cards(); ++b) {
      const auto verdict = peer_access(v.graph, v.global(a), v.global(b));
      count.yes += verdict.answer == PeerOverPcie::yes;
      count.no += verdict.answer == PeerOverPcie::no;
      count.unknown += verdict.answer == PeerOverPcie::unknown;
      for (const auto& condition : verdict.conditions) {
        count.window |= condition.code == "bar" && condition.holds != true;
        // Settings that nobody stated leave no verdict open; see conclude() in peer.cpp.
        const bool setting = condition.code == "above_4g" || condition.code == "iommu" || condition.code == "acs";
        const bool decides =
            verdict.answer == PeerOverPcie::no ? condition.holds == false : !setting && !condition.holds.has_value();
        if (verdict.answer == PeerOverPcie::yes || !decides) continue;
        const auto colon = condition.text.find(": ");
        ++count.reasons[colon == std::string::npos ? condition.text : condition.text.substr(colon + 2)];
        if (verdict.answer == PeerOverPcie::no) break;
      }
    }
  return count;
}

void warn_of_no_peers(const NodeView& v, const PeerCount& count) {
  if (count.no + count.unknown == 0) return;
  std::string why;
  int most = 0;
  for (const auto& [reason, pairs] : count.reasons)
    if (pairs > most) most = pairs, why = reason;
  const int pairs = count.yes + count.no + count.unknown;
  v.warn("W_NO_P2P",
         fmt::format("{} of {} pairs of cards have no sure peer-to-peer way ({} no, {} unknown): {}; their traffic is "
                     "staged through host memory, which costs about 15 us a copy instead of 1",
                     count.no + count.unknown, pairs, count.no, count.unknown, why));
}

bool is_refused_class(const NodeView& v) {
  for (int i = 0; i < v.cards(); ++i)
    if (v.gpu(i).peer_over_pcie == PeerOverPcie::no && v.gpu(i).vendor == Vendor::nvidia && v.gpu(i).pcie) return true;
  return false;
}

}  // namespace

void warn_of_peers(const NodeView& v) {
  if (v.cards() < 2) {
    if (v.gpu(0).peer_over_pcie != PeerOverPcie::unknown || v.gpu(0).vendor != Vendor::amd ||
        v.place.cards.front().peer_over_pcie)
      return;
    v.warn("W_NO_P2P", "whether this card can talk to peers depends on its VBIOS and memory window; taken as no until stated",
           v.name(v.node.cards[0]));
    v.warn("W_VBIOS",
           "generation, memory window and peer-to-peer of this card depend on the VBIOS: read them before you plan a second one",
           v.name(v.node.cards[0]));
    return;
  }
  const auto count = count_pairs(v);
  warn_of_no_peers(v, count);
  if (count.window)
    v.warn("W_VBIOS", "peer-to-peer needs a memory window (BAR) over all of a card's memory, which its VBIOS decides");
  const bool patched = v.node.host.peer_driver.value_or(false);
  if (is_refused_class(v))
    v.warn("W_DRIVER_PATCH", patched
                                 ? msg("peer-to-peer rests on a patched driver; every driver update must be patched again")
                                 : msg("a patched driver with resizable BAR could grant peer-to-peer on these cards: copies of a "
                                       "few bytes then take about "
                                       "1 us instead of 15"));
  // What drivers report and what bytes do are two things wherever the way is not one switch or one bridge.
  if (patched || count.unknown > 0 || (count.yes > 0 && v.node.host.virtual_machine.value_or(false)))
    v.warn("W_P2P_FALSE_GRANT",
           "drivers may report peer access that does not work; compare the bytes at the destination before relying on it");
  const int peers = v.cards() - 1;
  if (peers > 8 && count.yes > 0 && v.gpu(0).vendor == Vendor::nvidia)
    v.warn("W_PEER_LIMIT_8",
           fmt::format("each card would have {} peers; the driver allows 8, so groups of more than 9 cards fall back to "
                       "host memory for some pairs",
                       peers));
}

}  // namespace rigplan
