// SPDX-License-Identifier: Apache-2.0
#include "topology/node_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rigplan/topology/pcie.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

constexpr PcieLink unstated_chipset{3, 4};

/// Host memory of one socket. Unstated: one DDR4-2133 channel for each that the board has, or so much that it never limits.
Bandwidth memory_rate(const Board& board, const Cpu* cpu) {
  if (cpu != nullptr && cpu->memory_bandwidth > Bandwidth{}) return cpu->memory_bandwidth;
  const int sockets = std::max(board.sockets, 1);
  if (board.memory_bandwidth) return *board.memory_bandwidth / sockets;
  if (board.memory_channels > 0) return board.memory_channels * 17 * GB_per_s / sockets;
  return 1000 * GB_per_s;
}

const SocketLink* socket_link_of(const Catalog& catalog, const Cpu* cpu) {
  if (cpu == nullptr) return nullptr;
  for (const auto& link : catalog.socket_links.entries)
    if (std::find(link.microarchitectures.begin(), link.microarchitectures.end(), cpu->microarchitecture) !=
        link.microarchitectures.end())
      return &link;
  return nullptr;
}

}  // namespace

NodeBuilder::NodeBuilder(const RigNode& node, const std::optional<RigNetwork>& network, const Catalog& catalog)
    : node_{node}, network_{network}, catalog_{catalog}, plugs_{node, catalog} {
  graph_.board = plugs_.board();
  if (plugs_.cpu() != nullptr) graph_.cpu = *plugs_.cpu();
  graph_.host = node.host;
}

int NodeBuilder::add_device(DeviceKind kind, std::string label, int index, Seconds crossing) {
  graph_.devices.push_back({kind, std::move(label), nullptr, index, 0, crossing});
  graph_.upward.push_back(-1);
  graph_.peer_out.emplace_back();
  return static_cast<int>(graph_.devices.size()) - 1;
}

LinkId NodeBuilder::add_duplex(LinkKind kind, int from, int to, Bandwidth rate, Seconds wire, const std::string& label) {
  const auto crossing = [&](int device) {
    return device < 0 ? Seconds{} : graph_.devices[static_cast<std::size_t>(device)].crossing / 2;
  };
  const auto latency = wire + crossing(from) + crossing(to);
  const auto out = static_cast<LinkId>(graph_.links.size());
  graph_.links.push_back({kind, from, to, rate, latency, out + 1, label, {}, {}, 0});
  graph_.links.push_back({kind, to, from, rate, latency, out, label, {}, {}, 0});
  return out;
}

int NodeBuilder::parent_of(const Port& port) const {
  const auto at = feeders_.find(port.parent);
  if (at == feeders_.end()) throw std::logic_error{"nothing feeds slot " + port.label};
  return at->second;
}

void NodeBuilder::plug_in(int device, const Port& port, PcieLink link) {
  const int parent = parent_of(port);
  const auto wire =
      graph_.devices[static_cast<std::size_t>(device)].kind == DeviceKind::pcie_switch ? Seconds{} : times_.endpoint;
  const auto label = port.label.empty() ? to_text(link) : port.label + " " + to_text(link);
  const auto up = add_duplex(LinkKind::pcie, device, parent, pcie_bandwidth(link), wire, label);
  for (const auto id : {up, up + 1}) {
    auto& one = graph_.links[static_cast<std::size_t>(id)];
    one.pcie = link;
    one.slot = port.slot;
    one.slot_length = port.length;
  }
  graph_.upward[static_cast<std::size_t>(device)] = up;
  graph_.devices[static_cast<std::size_t>(device)].socket = graph_.devices[static_cast<std::size_t>(parent)].socket;
}

void NodeBuilder::add_sockets() {
  const int sockets = std::max(graph_.board.sockets, 1);
  const auto* link = socket_link_of(catalog_, plugs_.cpu());
  const auto memory = memory_rate(graph_.board, plugs_.cpu());
  for (int s = 0; s < sockets; ++s) {
    const auto name = fmt::format("cpu{}", s);
    const int socket = add_device(DeviceKind::socket, fmt::format("CPU{}", s), s, times_.root_complex);
    graph_.devices.back().socket = s;
    feeders_[name] = socket;
    const int dram = add_device(DeviceKind::memory, fmt::format("memory{}", s), s, Seconds{});
    graph_.devices.back().socket = s;
    const auto id = static_cast<LinkId>(graph_.links.size());
    graph_.links.push_back(
        {LinkKind::memory, socket, dram, memory, times_.memory, id, fmt::format("memory of CPU{}", s), {}, {}, 0});
    graph_.memory.push_back(id);
  }
  const auto n = static_cast<std::size_t>(sockets);
  graph_.socket_link.assign(n, std::vector<LinkId>(n, -1));
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b) {
      // Peers on two sockets get what was measured for the processor; nothing measured: the least of the table's neighbours.
      const auto rate = link != nullptr ? link->rate : 10 * GB_per_s;
      const auto label = fmt::format("CPU{} to CPU{} ({})", a, b, link != nullptr ? link->name : msg("socket link, assumed"));
      const auto out = add_duplex(LinkKind::socket, feeders_[fmt::format("cpu{}", a)], feeders_[fmt::format("cpu{}", b)], rate,
                                  link != nullptr ? link->latency : times_.socket, label);
      graph_.socket_link[a][b] = out;
      graph_.socket_link[b][a] = out + 1;
    }
}

void NodeBuilder::add_chipset() {
  const auto& slots = graph_.board.slots;
  const bool used = graph_.board.chipset_uplink ||
                    std::any_of(slots.begin(), slots.end(), [](const Slot& slot) { return slot.fed_by == "chipset"; });
  if (!used) return;
  const int chipset = add_device(DeviceKind::chipset, msg("chipset"), 0, times_.chipset);
  const auto link = graph_.board.chipset_uplink.value_or(unstated_chipset);
  plug_in(chipset, {"cpu0", link, link, 0, graph_.board.chipset_uplink ? msg("chipset uplink") : msg("chipset uplink (assumed)")},
          link);
  feeders_["chipset"] = chipset;
}

void NodeBuilder::add_board_switches() {
  // A switch may hang below another one that the file names later, so rounds are made until nothing is left to add.
  auto left = graph_.board.switches;
  while (!left.empty()) {
    const auto ready =
        std::find_if(left.begin(), left.end(), [&](const BoardSwitch& one) { return feeders_.contains(one.fed_by); });
    if (ready == left.end()) throw std::logic_error{"switch " + left.front().id + " of the board hangs below nothing"};
    const int device = add_device(DeviceKind::pcie_switch, ready->id, 0, times_.pcie_switch);
    auto link = ready->upstream;
    if (plugs_.cpu() != nullptr && ready->fed_by.starts_with("cpu"))
      link.generation = std::min(link.generation, plugs_.cpu()->pcie.generation);
    plug_in(device, {ready->fed_by, link, link, 0, ready->id + " uplink"}, link);
    feeders_[ready->id] = device;
    left.erase(ready);
  }
}

/// One switch device for each root port that the adapter is plugged into.
void NodeBuilder::add_switch(const AdapterPlace& adapter, const PcieSwitch& part) {
  const auto crossing = part.latency > Seconds{} ? part.latency : times_.pcie_switch;
  auto plugs = adapter.more_plugs;
  plugs.insert(plugs.begin(), adapter.plug);
  for (std::size_t i = 0; i < plugs.size(); ++i) {
    const auto name = virtual_switch(adapter, i, plugs.size());
    const int device = add_device(DeviceKind::pcie_switch, name, 0, crossing);
    auto port = plugs_.good_port(plugs[i]);
    port.label = fmt::format("{} uplink in {}", name, port.label);
    plug_in(device, port, train(port.wired, part.upstream));
    feeders_[name] = device;
  }
}

void NodeBuilder::add_adapters() {
  std::vector<const AdapterPlace*> left;
  for (const auto& adapter : node_.adapters)
    if (std::holds_alternative<PcieSwitch>(catalog_.parts.find(adapter.part)->what)) left.push_back(&adapter);
  const auto is_fed = [&](const Plug& plug) { return feeders_.contains(plugs_.good_port(plug).parent); };
  while (!left.empty()) {
    const auto ready = std::find_if(left.begin(), left.end(), [&](const AdapterPlace* one) {
      return is_fed(one->plug) && std::all_of(one->more_plugs.begin(), one->more_plugs.end(), is_fed);
    });
    if (ready == left.end()) throw std::logic_error{"switch " + left.front()->id + " hangs below nothing"};
    add_switch(**ready, std::get<PcieSwitch>(catalog_.parts.find((*ready)->part)->what));
    left.erase(ready);
  }
}

void NodeBuilder::add_cards() {
  const int sockets = std::max(graph_.board.sockets, 1);
  const int cards = static_cast<int>(node_.cards.size());
  for (int i = 0; i < cards; ++i) {
    const auto& place = node_.cards[static_cast<std::size_t>(i)];
    const auto* gpu = catalog_.gpus.find(place.gpu);
    const int device = add_device(DeviceKind::card, fmt::format("GPU{}", i), i, Seconds{});
    graph_.devices.back().gpu = gpu;
    if (const auto* architecture = catalog_.architectures.find(gpu->architecture))
      graph_.devices.back().peer_read_share = architecture->peer_read_share;
    graph_.cards.push_back(device);
    Port port;
    if (place.plug.slot.empty()) {  // a host without slots: each card has a root port of its own
      port.parent = fmt::format("cpu{}", i * sockets / cards);
      port.wired = gpu->pcie.value_or(PcieLink{4, 16});
    } else {
      port = plugs_.good_port(place.plug);
    }
    auto link = gpu->pcie ? train(port.wired, *gpu->pcie) : port.wired;
    if (place.trained) link = *place.trained;
    plug_in(device, port, link);
  }
}

NodeGraph build_node(const RigNode& node, const std::optional<RigNetwork>& network, const Catalog& catalog) {
  NodeBuilder builder{node, network, catalog};
  builder.add_sockets();
  builder.add_chipset();
  builder.add_board_switches();
  builder.add_adapters();
  builder.add_cards();
  builder.add_nics();
  builder.add_bridges();
  return builder.take();
}

}  // namespace rigplan
