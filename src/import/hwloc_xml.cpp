// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <pugixml.hpp>

#include <algorithm>
#include <map>

#include "import/link_text.h"
#include "import/xml_document.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

constexpr int deepest = 128;

/// Display controllers that boards carry for remote management: ASPEED, Matrox, and the ES1000.
bool is_management(std::string_view id) { return id.starts_with("1a03") || id.starts_with("102b") || id == "1002:515e"; }

class HwlocReader {
 public:
  explicit HwlocReader(ImportedMachine& machine) : machine_{machine} {}

  void read_object(pugi::xml_node object, int bridge, int depth) {
    if (depth > deepest) return ask("file", fmt::format("objects nested deeper than {} levels were left out", deepest));
    const std::string_view type = object.attribute("type").value();
    if (type == "Package") open_package(object);
    int below = bridge;
    if (const std::string_view bus = object.attribute("pci_busid").value();
        !bus.empty() && (type == "Bridge" || type == "PCIDev"))
      below = read_device(object, bridge, type == "Bridge");
    if (type == "OSDev") read_os_device(object, bridge);
    for (const auto child : object.children("object")) read_object(child, below, depth + 1);
    for (const auto child : object.children())
      if (child.type() == pugi::node_element && !known(child.name())) ++machine_.unknown_tags;
  }

  /// A matrix of rates between devices; those of two cards become peer links.
  void read_rates(pugi::xml_node distances) {
    const std::string_view what = distances.attribute("name").value();
    const bool nvlink = what.find("NVLink") != std::string_view::npos;
    if (!nvlink && what.find("XGMI") == std::string_view::npos) return;
    std::vector<std::string> ends;
    for (const auto part : distances.children("indexes"))
      for (const auto word : split_words(part.text().get())) ends.emplace_back(word);
    std::vector<double> rates;
    for (const auto part : distances.children("u64values"))
      for (const auto word : split_words(part.text().get())) rates.push_back(read_real(word).value_or(0));
    if (ends.empty() || rates.size() != ends.size() * ends.size())
      return ask(std::string{what}, msg("the matrix is not complete; left out"));
    for (std::size_t a = 0; a < ends.size(); ++a)
      for (std::size_t b = 0; b < ends.size(); ++b)
        if (const double rate = rates[a * ends.size() + b]; a != b && rate > 0) add_peer(ends[a], ends[b], rate, nvlink);
  }

  void finish() {
    if (machine_.domains.empty()) machine_.domains.emplace_back();
    if (unknown_speeds_ > 0)
      ask("links", fmt::format("{} devices state no link speed; their generation and width are open", unknown_speeds_));
    if (ambiguous_ > 0)
      ask("links", fmt::format("{} links state a rate that fits several widths; the widest was taken", ambiguous_));
  }

 private:
  static bool known(std::string_view tag) {
    constexpr std::string_view tags[] = {"object",  "info",    "page_type", "distances2", "distances2hetero",
                                         "support", "memattr", "cpukind",   "userdata",   "topology_info"};
    return std::find(std::begin(tags), std::end(tags), tag) != std::end(tags);
  }
  void ask(std::string subject, std::string text) { machine_.questions.push_back({std::move(subject), std::move(text)}); }

  static std::string info(pugi::xml_node object, const char* key) {
    for (const auto one : object.children("info"))
      if (std::string_view{one.attribute("name").value()} == key) return one.attribute("value").value();
    return {};
  }

  void open_package(pugi::xml_node object) {
    ImportedDomain domain;
    domain.vendor = info(object, "CPUVendor");
    domain.family = static_cast<int>(read_whole(info(object, "CPUFamilyNumber")).value_or(-1));
    domain.model = static_cast<int>(read_whole(info(object, "CPUModelNumber")).value_or(-1));
    domain.numa = static_cast<int>(machine_.domains.size());
    machine_.domains.push_back(std::move(domain));
  }

  int read_device(pugi::xml_node object, int bridge, bool is_bridge) {
    ImportedDevice device;
    device.parent = bridge;
    device.domain = std::max(0, static_cast<int>(machine_.domains.size()) - 1);
    device.bus = object.attribute("pci_busid").value();
    device.name = info(object, "PCIDevice");
    const std::string_view type = object.attribute("pci_type").value();  // "0302 [10de:1db8] [...] a1 00"
    if (const auto open = type.find('['); open != std::string_view::npos) device.pci_id = type.substr(open + 1, 9);
    const bool display = (type.starts_with("03") || type.starts_with("1200")) && !is_management(device.pci_id);
    device.kind = is_bridge                ? ImportedKind::bridge
                  : display                ? ImportedKind::gpu
                  : type.starts_with("02") ? ImportedKind::nic
                                           : ImportedKind::other;
    const double speed = object.attribute("pci_link_speed").as_double(0);
    if (speed <= 0) {
      unknown_speeds_ += device.kind == ImportedKind::gpu || device.kind == ImportedKind::nic;
    } else if (const auto links = links_at(speed); !links.empty()) {
      device.generation = links.front().generation;
      device.lanes = links.front().lanes;
      ambiguous_ += links.size() > 1 && device.kind == ImportedKind::gpu;
    }
    machine_.devices.push_back(std::move(device));
    return static_cast<int>(machine_.devices.size()) - 1;
  }

  void read_os_device(pugi::xml_node object, int device) {
    if (device < 0) return;
    device_of_os_[object.attribute("gp_index").value()] = device;
    auto& owner = machine_.devices[static_cast<std::size_t>(device)];
    if (auto model = info(object, "GPUModel"); !model.empty()) owner.name = std::move(model);
    if (owner.kind == ImportedKind::nic)
      if (const auto rate = read_real(info(object, "Speed"))) owner.network_rate_mbit = *rate;
  }

  int device_at(const std::string& end) const {
    const auto colon = end.find(':');
    const auto at = device_of_os_.find(colon == std::string::npos ? end : end.substr(colon + 1));
    return at == device_of_os_.end() ? -1 : at->second;
  }

  void add_peer(const std::string& from, const std::string& to, double rate, bool nvlink) {
    const int a = device_at(from), b = device_at(to);
    if (a < 0 || machine_.devices[static_cast<std::size_t>(a)].kind != ImportedKind::gpu) return;
    auto& peers = machine_.devices[static_cast<std::size_t>(a)].peers;
    const auto kind = nvlink ? PeerLinkKind::nvlink : PeerLinkKind::xgmi;
    if (b >= 0)
      peers.push_back({kind, machine_.devices[static_cast<std::size_t>(b)].bus, 0, false, rate * MB_per_s});
    else if (std::none_of(peers.begin(), peers.end(), [](const ImportedPeer& peer) { return peer.to_switch; }))
      peers.push_back({kind, to, 0, true, rate * MB_per_s});
    else  // a switch is several chips, each with some of the links
      std::find_if(peers.begin(), peers.end(), [](const ImportedPeer& peer) { return peer.to_switch; })->rate += rate * MB_per_s;
  }

  ImportedMachine& machine_;
  std::map<std::string, int, std::less<>> device_of_os_;
  int unknown_speeds_ = 0, ambiguous_ = 0;
};

}  // namespace

ImportedMachine import_hwloc_xml(const std::string& name, std::string_view bytes) {
  pugi::xml_document document;
  load_xml(document, name, bytes);
  const auto topology = document.child("topology");
  if (!topology)
    throw DataError{{name, 1, {}}, fmt::format("has the root <{}>; expected <topology>", document.document_element().name())};
  ImportedMachine machine;
  machine.format = "hwloc XML";
  HwlocReader reader{machine};
  for (const auto object : topology.children("object")) reader.read_object(object, -1, 0);
  for (const auto tag : {"distances2", "distances2hetero"})
    for (const auto distances : topology.children(tag)) reader.read_rates(distances);
  reader.finish();
  return machine;
}

}  // namespace rigplan
