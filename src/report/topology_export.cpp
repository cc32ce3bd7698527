// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "rigplan/report/topology.h"
#include "rigplan/topology/pcie.h"

namespace rigplan {
namespace {

constexpr double gigatransfers[] = {0, 2.5, 5, 8, 16, 32, 64, 128};

std::string bus_of(int device) { return fmt::format("0000:{:02x}:00.0", device % 256); }

class NcclWriter {
 public:
  explicit NcclWriter(const NodeGraph& node) : node_{node} {
    for (const int d : node.cards) amd_ |= node.devices[static_cast<std::size_t>(d)].gpu->vendor == Vendor::amd;
  }

  std::string write() {
    text_ = fmt::format("<system version=\"{}\">\n", amd_ ? 2 : 1);
    for (std::size_t d = 0; d < node_.devices.size(); ++d)
      if (node_.devices[d].kind == DeviceKind::socket) {
        const auto vendor = node_.cpu ? node_.cpu->vendor : Vendor::other;
        const char* name = vendor == Vendor::amd ? "AuthenticAMD" : vendor == Vendor::intel ? "GenuineIntel" : "";
        text_ += fmt::format("  <cpu numaid=\"{}\" arch=\"x86_64\" vendor=\"{}\">\n", node_.devices[d].index, name);
        write_below(static_cast<int>(d), 4);
        text_ += "  </cpu>\n";
      }
    return text_ + "</system>\n";
  }

 private:
  void write_below(int parent, int indent) {
    for (std::size_t d = 0; d < node_.devices.size(); ++d) {
      const auto up = node_.upward[d];
      if (up < 0 || node_.links[static_cast<std::size_t>(up)].to != parent) continue;
      const auto& link = node_.links[static_cast<std::size_t>(up)];
      const auto& device = node_.devices[d];
      const char* type = device.kind == DeviceKind::card  ? (amd_ ? "0x038000" : "0x030200")
                         : device.kind == DeviceKind::nic ? "0x020000"
                                                          : "0x060400";
      const std::string pad(static_cast<std::size_t>(indent), ' ');
      text_ +=
          fmt::format("{}<pci busid=\"{}\" class=\"{}\" link_speed=\"{:.1f} GT/s PCIe\" link_width=\"{}\">\n", pad,
                      bus_of(static_cast<int>(d)), type, gigatransfers[std::clamp(link.pcie.generation, 0, 7)], link.pcie.lanes);
      if (device.kind == DeviceKind::card) write_card(static_cast<int>(d), pad + "  ");
      if (device.kind == DeviceKind::nic) write_nic(static_cast<int>(d), pad + "  ");
      write_below(static_cast<int>(d), indent + 2);
      text_ += pad + "</pci>\n";
    }
  }

  void write_card(int d, const std::string& pad) {
    const auto& device = node_.devices[static_cast<std::size_t>(d)];
    const auto& architecture = device.gpu->architecture;
    const auto kind = amd_ ? fmt::format("sm=\"0\" gcn=\"{}\" arch=\"0\"",
                                         architecture.starts_with("gfx") ? architecture.substr(3) : architecture)
                           : fmt::format("sm=\"{}\"", architecture.starts_with("sm_") ? architecture.substr(3) : "0");
    text_ += fmt::format("{}<gpu dev=\"{}\" {} rank=\"{}\" gdr=\"1\">\n", pad, device.index, kind, device.index);
    for (const auto id : node_.peer_out[static_cast<std::size_t>(d)]) {
      const auto& link = node_.links[static_cast<std::size_t>(id)];
      const auto& ports = *device.gpu->peer_ports;
      const bool to_switch = node_.devices[static_cast<std::size_t>(link.to)].kind == DeviceKind::peer_switch;
      const int count = static_cast<int>(link.bandwidth / ports.per_link + 0.5);
      text_ += fmt::format("{}  <{} target=\"{}\" count=\"{}\" tclass=\"{}\"/>\n", pad,
                           ports.kind == PeerLinkKind::nvlink ? "nvlink" : "xgmi", bus_of(link.to), count,
                           to_switch ? "0x068000"
                           : amd_    ? "0x038000"
                                     : "0x030200");
    }
    text_ += pad + "</gpu>\n";
  }

  void write_nic(int d, const std::string& pad) {
    for (std::size_t i = 0; i < node_.nics.size(); ++i)
      if (node_.nics[i] == d)
        text_ += fmt::format(
            "{}<nic>\n{}  <net name=\"nic{}\" dev=\"{}\" speed=\"{:.0f}\" port=\"1\" guid=\"0x{:x}\" maxconn=\"65536\" "
            "gdr=\"{}\"/>\n{}</nic>\n",
            pad, pad, i, i, node_.links[static_cast<std::size_t>(node_.nic_out[i])].bandwidth / (0.001 * Gbit_per_s), i + 1,
            node_.nic_rdma[i] ? 1 : 0, pad);
  }

  const NodeGraph& node_;
  bool amd_ = false;
  std::string text_;
};

}  // namespace

std::string topology_nccl_xml(const RigGraph& graph) { return NcclWriter{graph.node(0)}.write(); }

std::string topology_simgrid_xml(const RigGraph& graph, PeerAssumption assumption) {
  std::vector<Route> routes;
  std::map<LinkId, double> weight;  // a link that every route crosses twice is written with half its rate
  for (int a = 0; a < graph.cards(); ++a)
    for (int b = 0; b < graph.cards(); ++b) {
      routes.push_back(a == b ? Route{} : route(graph, a, b, assumption));
      for (const auto& hop : routes.back().hops) weight[hop.link] = std::max(weight[hop.link], hop.weight);
    }
  std::string text =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
      "  <zone id=\"rig\" routing=\"Full\">\n";
  for (int c = 0; c < graph.cards(); ++c) text += fmt::format("    <host id=\"{}\" speed=\"1Gf\"/>\n", c);
  for (const auto& [id, times] : weight)
    text += fmt::format("    <link id=\"l{}\" bandwidth=\"{:.17g}Bps\" latency=\"{:.17g}s\" sharing_policy=\"SHARED\"/>\n", id,
                        graph.link(id).bandwidth.in(1 * GB_per_s) * 1e9 / times, graph.link(id).latency.in(second)*times);
  for (int a = 0; a < graph.cards(); ++a)
    for (int b = 0; b < graph.cards(); ++b) {
      const auto& way = routes[static_cast<std::size_t>(a * graph.cards() + b)];
      if (way.hops.empty()) continue;
      text += fmt::format("    <route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">\n", a, b);
      for (const auto& hop : way.hops) text += fmt::format("      <link_ctn id=\"l{}\"/>\n", hop.link);
      text += "    </route>\n";
    }
  return text + "  </zone>\n</platform>\n";
}

}  // namespace rigplan
