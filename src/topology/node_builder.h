// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "rigplan/topology/graph.h"
#include "topology/hop_times.h"
#include "topology/plugs.h"

namespace rigplan {

/// Makes the graph of one kind of machine, in steps that each add some devices and their links.
class NodeBuilder {
 public:
  NodeBuilder(const RigNode& node, const std::optional<RigNetwork>& network, const Catalog& catalog);

  void add_sockets();
  void add_chipset();
  void add_board_switches();
  void add_adapters();
  void add_cards();
  void add_nics();
  void add_bridges();
  NodeGraph take() { return std::move(graph_); }

 private:
  int add_device(DeviceKind kind, std::string label, int index, Seconds crossing);
  /// Both directions; @return the one that starts at `from`.
  LinkId add_duplex(LinkKind kind, int from, int to, Bandwidth rate, Seconds wire, const std::string& label);
  void add_switch(const AdapterPlace& adapter, const PcieSwitch& part);
  void plug_in(int device, const Port& port, PcieLink link);
  int parent_of(const Port& port) const;
  void add_network_ports(int device, Bandwidth rate, bool rdma);
  void choose_nics();
  void join(const std::vector<int>& cards, int links, const std::string& label);
  void join_pair(int a, int b, int links, const std::string& label);
  void join_switched(const std::vector<int>& cards, const std::string& label);
  std::size_t links_up(int device) const;
  int tree_distance(int a, int b) const;

  const RigNode& node_;
  const std::optional<RigNetwork>& network_;
  const Catalog& catalog_;
  Plugs plugs_;
  HopTimes times_;
  NodeGraph graph_;
  std::map<std::string, int, std::less<>> feeders_;  ///< "cpu0", "chipset", switches: their devices
};

}  // namespace rigplan
