// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <pugixml.hpp>

#include <algorithm>
#include <set>

#include "import/link_text.h"
#include "import/xml_document.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

constexpr int deepest_element = 64;

/// A bare number such as "906" is the instruction set, decimal digits read one by one: 910 stands for gfx90a, 940 for gfx940.
std::string amd_architecture(std::string_view gcn) {
  if (gcn.starts_with("gfx")) return std::string{gcn};
  if (gcn == "910") return "gfx90a";
  return "gfx" + std::string{gcn};
}

class NcclReader {
 public:
  NcclReader(ImportedMachine& machine) : machine_{machine} {}

  void read_system(pugi::xml_node system) {
    for (const auto child : elements(system))
      if (name(child) == "cpu")
        read_cpu(child);
      else
        ++machine_.unknown_tags;
  }

  void read_graphs(pugi::xml_node graphs) {
    std::set<long long> cards;
    for (const auto gpu : graphs.select_nodes("//channel/gpu")) cards.insert(gpu.node().attribute("dev").as_llong(-1));
    machine_.domains.emplace_back();
    for (const auto dev : cards) {
      ImportedDevice device;
      device.kind = ImportedKind::gpu;
      device.bus = fmt::format("dev{}", dev);
      machine_.devices.push_back(std::move(device));
    }
    ask("file",
        fmt::format("this is a graph file: it gives the rings of {} cards and no links; import the topology dump", cards.size()));
  }

 private:
  static std::vector<pugi::xml_node> elements(pugi::xml_node parent) {
    std::vector<pugi::xml_node> found;
    for (const auto child : parent.children())
      if (child.type() == pugi::node_element) found.push_back(child);
    return found;
  }
  static std::string_view name(pugi::xml_node node) { return node.name(); }
  void ask(std::string subject, std::string text) { machine_.questions.push_back({std::move(subject), std::move(text)}); }

  void read_cpu(pugi::xml_node cpu) {
    ImportedDomain domain;
    domain.vendor = cpu.attribute("vendor").value();
    domain.numa = static_cast<int>(cpu.attribute("numaid").as_int(-1));
    domain.family = cpu.attribute("familyid").as_int(-1);
    domain.model = cpu.attribute("modelid").as_int(-1);
    if (domain.vendor.empty()) ask(fmt::format("CPU {}", domain.numa), msg("the file does not say which processor this is"));
    domain_ = static_cast<int>(machine_.domains.size());
    machine_.domains.push_back(std::move(domain));
    read_children(cpu, -1, 0);
  }

  void read_children(pugi::xml_node parent, int bridge, int depth) {
    if (depth > deepest_element)
      return ask("file", fmt::format("elements nested deeper than {} levels were left out", deepest_element));
    for (const auto child : elements(parent)) {
      const auto tag = name(child);
      if (tag == "pci")
        read_pci(child, bridge, depth);
      else if (tag == "nic")
        read_nic(child, bridge);
      else
        ++machine_.unknown_tags;
    }
  }

  void read_pci(pugi::xml_node pci, int bridge, int depth) {
    ImportedDevice device;
    device.bus = pci.attribute("busid").value();
    device.parent = bridge;
    device.domain = domain_;
    device.generation = read_generation(pci.attribute("link_speed").value());
    if (const auto lanes = read_whole(pci.attribute("link_width").value())) {
      if (*lanes == 0)
        device.lanes = 16, ask(device.bus, msg("the link width is stated as 0; taken as x16"));
      else if (*lanes == 1 || (*lanes <= 32 && *lanes % 2 == 0))
        device.lanes = static_cast<int>(*lanes);
      else
        ask(device.bus, fmt::format("x{} is no width of a PCIe link; left open", *lanes));
    }
    if (const std::string_view vendor = pci.attribute("vendor").value(); vendor.starts_with("0x"))
      device.pci_id = fmt::format("{}:{}", vendor.substr(2), std::string_view{pci.attribute("device").value()}.substr(0, 6));
    const auto gpu = pci.child("gpu");
    const auto type = std::string_view{pci.attribute("class").value()};
    device.kind = gpu                        ? ImportedKind::gpu
                  : pci.child("nic")         ? ImportedKind::nic
                  : type.starts_with("0x06") ? ImportedKind::bridge
                                             : ImportedKind::other;
    if (gpu) read_gpu(gpu, device);
    const auto index = static_cast<int>(machine_.devices.size());
    machine_.devices.push_back(std::move(device));
    for (const auto child : elements(pci)) {
      const auto tag = name(child);
      if (tag == "pci")
        read_pci_below(child, index, depth);
      else if (tag == "nic")
        read_rates(child, machine_.devices[static_cast<std::size_t>(index)]);
      else if (tag != "gpu" && tag != "pcilink")
        ++machine_.unknown_tags;
    }
  }
  void read_pci_below(pugi::xml_node pci, int bridge, int depth) {
    if (depth + 1 > deepest_element)
      return ask("file", fmt::format("elements nested deeper than {} levels were left out", deepest_element));
    read_pci(pci, bridge, depth + 1);
  }

  void read_gpu(pugi::xml_node gpu, ImportedDevice& device) {
    if (const std::string_view gcn = gpu.attribute("gcn").value(); !gcn.empty())
      device.architecture = amd_architecture(gcn);
    else if (const auto sm = gpu.attribute("sm").as_int(0); sm > 0)
      device.architecture = fmt::format("sm_{}", sm);
    for (const auto child : elements(gpu)) {
      const bool nvlink = name(child) == "nvlink";
      if (!nvlink && name(child) != "xgmi") {
        ++machine_.unknown_tags;
        continue;
      }
      ImportedPeer peer{nvlink ? PeerLinkKind::nvlink : PeerLinkKind::xgmi,
                        child.attribute("target").value(),
                        std::clamp(child.attribute("count").as_int(1), 0, 64),
                        false,
                        {}};
      peer.to_switch = std::string_view{child.attribute("tclass").value()}.starts_with("0x0680");
      device.peers.push_back(std::move(peer));
    }
  }

  static void read_rates(pugi::xml_node nic, ImportedDevice& device) {
    for (const auto net : nic.children("net")) device.network_rate_mbit += std::max(0.0, net.attribute("speed").as_double(0));
  }

  /// A NIC without a place on the bus.
  void read_nic(pugi::xml_node nic, int bridge) {
    ImportedDevice device;
    device.kind = ImportedKind::nic;
    device.parent = bridge;
    device.domain = domain_;
    device.bus = nic.child("net").attribute("name").value();
    read_rates(nic, device);
    machine_.devices.push_back(std::move(device));
  }

  ImportedMachine& machine_;
  int domain_ = 0;
};

}  // namespace

ImportedMachine import_nccl_xml(const std::string& name, std::string_view bytes) {
  pugi::xml_document document;
  load_xml(document, name, bytes);
  ImportedMachine machine;
  machine.format = "NCCL XML";
  NcclReader reader{machine};
  if (const auto system = document.child("system"))
    reader.read_system(system);
  else if (const auto graphs = document.child("graphs"))
    reader.read_graphs(graphs);
  else
    throw DataError{{name, 1, {}}, fmt::format("has the root <{}>; expected <system>", document.document_element().name())};
  return machine;
}

}  // namespace rigplan
