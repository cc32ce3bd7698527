// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "topology/node_builder.h"

namespace rigplan {
namespace {

LinkKind link_kind(PeerLinkKind kind) { return kind == PeerLinkKind::nvlink ? LinkKind::nvlink : LinkKind::xgmi; }
std::string_view link_name(PeerLinkKind kind) { return kind == PeerLinkKind::nvlink ? "NVLink" : "xGMI"; }

}  // namespace

void NodeBuilder::join_pair(int a, int b, int links, const std::string& label) {
  const int from = graph_.cards[static_cast<std::size_t>(a)], to = graph_.cards[static_cast<std::size_t>(b)];
  const auto& ports = *graph_.devices[static_cast<std::size_t>(from)].gpu->peer_ports;
  const auto wire = ports.kind == PeerLinkKind::nvlink ? times_.nvlink : times_.xgmi;
  const auto out = add_duplex(link_kind(ports.kind), from, to, links * ports.per_link, wire,
                              fmt::format("{} GPU{}-GPU{}, {} link{}", label, a, b, links, links == 1 ? "" : "s"));
  graph_.peer_out[static_cast<std::size_t>(from)].push_back(out);
  graph_.peer_out[static_cast<std::size_t>(to)].push_back(out + 1);
}

void NodeBuilder::join_switched(const std::vector<int>& cards, const std::string& label) {
  const auto& ports =
      *graph_.devices[static_cast<std::size_t>(graph_.cards[static_cast<std::size_t>(cards.front())])].gpu->peer_ports;
  const int hub = add_device(DeviceKind::peer_switch, label + " switches", 0, times_.peer_switch);
  for (const int card : cards) {
    const int from = graph_.cards[static_cast<std::size_t>(card)];
    const auto out = add_duplex(link_kind(ports.kind), from, hub, ports.links * ports.per_link, times_.nvlink / 2,
                                fmt::format("{} of GPU{}, {} links", label, card, ports.links));
    graph_.peer_out[static_cast<std::size_t>(from)].push_back(out);
    graph_.peer_out[static_cast<std::size_t>(hub)].push_back(out + 1);
  }
}

/// Two cards: all links on the pair. As many links as peers: each pair the same number. Fewer: a circle with half of the links
/// on each side; of three or more a side one goes to the card beyond, as the hybrid cube meshes of eight do (2, 2, 1 and 1).
/// What an uneven count leaves over stays unused.
void NodeBuilder::join(const std::vector<int>& cards, int links, const std::string& label) {
  const auto& ports =
      *graph_.devices[static_cast<std::size_t>(graph_.cards[static_cast<std::size_t>(cards.front())])].gpu->peer_ports;
  const int n = static_cast<int>(cards.size());
  const int total = links > 0 ? links * (n - 1) : ports.links;
  if (links == 0 && ports.fabric == PeerFabric::switched && n > 2) return join_switched(cards, label);
  if (total >= n - 1) {
    for (std::size_t a = 0; a < cards.size(); ++a)
      for (std::size_t b = a + 1; b < cards.size(); ++b) join_pair(cards[a], cards[b], total / (n - 1), label);
    return;
  }
  const int side = std::max(total / 2, 1);
  const bool beyond = side >= 3 && n > 5;
  for (std::size_t a = 0; a < cards.size(); ++a) {
    join_pair(cards[a], cards[(a + 1) % cards.size()], beyond ? side - 1 : side, label);
    if (beyond) join_pair(cards[a], cards[(a + cards.size() / 2 - 1) % cards.size()], 1, label);
  }
}

void NodeBuilder::add_bridges() {
  std::vector<bool> bridged(node_.cards.size());
  for (const auto& bridge : node_.bridges) {
    const auto* part = catalog_.parts.find(bridge.part);
    const auto* gpu = graph_.devices[static_cast<std::size_t>(graph_.cards[static_cast<std::size_t>(bridge.cards.front())])].gpu;
    join(bridge.cards, bridge.links, part != nullptr ? part->name : std::string{link_name(gpu->peer_ports->kind)});
    for (const int card : bridge.cards) bridged[static_cast<std::size_t>(card)] = true;
  }
  // Cards whose board joins them have their fabric without saying so.
  for (std::size_t i = 0; i < node_.cards.size(); ++i) {
    const auto* gpu = graph_.devices[static_cast<std::size_t>(graph_.cards[i])].gpu;
    if (bridged[i] || !gpu->peer_ports || gpu->peer_ports->links == 0 || gpu->peer_ports->fabric == PeerFabric::bridge) continue;
    const int most = gpu->peer_ports->max_cards > 0 ? gpu->peer_ports->max_cards : static_cast<int>(node_.cards.size());
    std::vector<int> group;
    for (std::size_t j = i; j < node_.cards.size() && static_cast<int>(group.size()) < most; ++j)
      if (!bridged[j] && graph_.devices[static_cast<std::size_t>(graph_.cards[j])].gpu == gpu) {
        group.push_back(static_cast<int>(j));
        bridged[j] = true;
      }
    if (group.size() > 1) join(group, 0, std::string{link_name(gpu->peer_ports->kind)});
  }
}

}  // namespace rigplan
