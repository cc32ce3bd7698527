// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "import/link_text.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/topology/pcie.h"
#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

/// "0000:1d:00.0" or "1d:00.0" at the front of a line; samples with names left out write "xx:00.0".
std::string_view bus_of(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && (is_hex(line[end]) || line[end] == ':' || line[end] == '.' || line[end] == 'x')) ++end;
  const auto bus = line.substr(0, end);
  const bool shape =
      bus.size() >= 7 && bus[bus.size() - 2] == '.' && bus[bus.size() - 5] == ':' && end < line.size() && line[end] == ' ';
  return shape ? bus : std::string_view{};
}

/// The text behind `key` when the line has it as a name of its own: "LnkSta:" does not match "LnkSta2:".
std::optional<std::string_view> field(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos || (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t')) return std::nullopt;
  return line.substr(at + key.size());
}

struct SeenLink {
  std::optional<int> generation, lanes;
  bool downgraded = false;
};

/// "Speed 8GT/s (downgraded), Width x2 (downgraded)". "Speed unknown" is missing, not zero.
SeenLink read_link(std::string_view text) {
  SeenLink link;
  if (const auto speed = text.find("Speed "); speed != std::string_view::npos)
    link.generation = read_generation(text.substr(speed + 6, 12));
  if (const auto width = text.find("Width x"); width != std::string_view::npos)
    if (const auto lanes = read_whole(text.substr(width + 7));
        lanes && *lanes > 0 && *lanes <= 32 && is_pcie_width(static_cast<int>(*lanes)))
      link.lanes = static_cast<int>(*lanes);
  link.downgraded = text.substr(0, 60).find("downgraded") != std::string_view::npos;
  return link;
}

/// "[size=16G]"
std::optional<Bytes> read_size(std::string_view text) {
  const auto at = text.find("[size=");
  if (at == std::string_view::npos) return std::nullopt;
  const auto number = text.substr(at + 6);
  const auto value = read_real(number);
  const auto unit = number.find_first_of("KMGT");
  if (!value || unit == std::string_view::npos || unit > 8) return std::nullopt;
  const Bytes units[] = {KiB, MiB, GiB, TiB};
  return *value * units[std::string_view{"KMGT"}.find(number[unit])];
}

ImportedKind kind_of(std::string_view line) {
  const auto has = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
  if (has("PCI bridge")) return ImportedKind::bridge;
  if (has("ASPEED") || has("Matrox")) return ImportedKind::other;
  if (has("VGA compatible") || has("3D controller") || has("Display controller") || has("Processing accelerators"))
    return ImportedKind::gpu;
  if (has("Ethernet controller") || has("Infiniband controller") || has("Network controller")) return ImportedKind::nic;
  return ImportedKind::other;
}

/// The last bracket of "... chip [name of the card] [1002:66a1] (rev 02)" that is no id.
void read_name(std::string_view line, ImportedDevice& device) {
  for (std::size_t open = line.find('['); open != std::string_view::npos; open = line.find('[', open + 1)) {
    const auto close = line.find(']', open);
    if (close == std::string_view::npos) break;
    const auto inside = line.substr(open + 1, close - open - 1);
    if (inside.size() == 9 && inside[4] == ':' && is_hex(inside[0]))
      device.pci_id = inside;
    else if (inside.size() != 4 || !is_hex(inside[0]))
      device.name = inside;
  }
  if (!device.name.empty()) return;
  if (const auto colon = line.find(": "); colon != std::string_view::npos) device.name = line.substr(colon + 2);
}

/// Numbers of the buses below a bridge: "Bus: primary=00, secondary=01, subordinate=05".
struct BusRange {
  long long first = -1, last = -1;
};
std::optional<long long> read_bus(std::string_view text) { return read_whole("0x" + std::string{text.substr(0, 2)}); }

class LspciReader {
 public:
  explicit LspciReader(ImportedMachine& machine) : machine_{machine} { machine.domains.emplace_back(); }

  void read(std::string_view line) {
    if (const auto bus = bus_of(line); !bus.empty()) open(line, bus);
    if (machine_.devices.empty()) return;
    for (const auto* maker : {"Virtio", "QEMU", "VMware", "Hyper-V"})
      machine_.guest |= line.find(maker) != std::string_view::npos;
    auto& device = machine_.devices.back();
    if (const auto text = field(line, "LnkCap:")) {
      const auto link = read_link(*text);
      if (link.generation && link.lanes) device.able = PcieLink{*link.generation, *link.lanes};
    }
    if (const auto text = field(line, "LnkSta:")) {
      const auto link = read_link(*text);
      device.generation = link.generation;
      device.lanes = link.lanes;
      device.downgraded = link.downgraded;
    }
    if (const auto text = field(line, "ACSCtl:")) device.acs_redirect = text->find("ReqRedir+") != std::string_view::npos;
    if (line.find("Region ") != std::string_view::npos && line.find("Memory") != std::string_view::npos)
      if (const auto size = read_size(line)) device.bar = std::max(device.bar.value_or(Bytes{}), *size);
    if (const auto text = field(line, "NUMA node:")) set_domain(device, *text);
    if (const auto text = field(line, "secondary=")) ranges_[machine_.devices.size() - 1].first = read_bus(*text).value_or(-1);
    if (const auto text = field(line, "subordinate=")) ranges_[machine_.devices.size() - 1].last = read_bus(*text).value_or(-1);
  }

  /// The bridge above a device is the one with the narrowest range of buses around it.
  void link_tree() {
    for (std::size_t i = 0; i < machine_.devices.size(); ++i) {
      auto& device = machine_.devices[i];
      const auto colon = device.bus.rfind(':');
      const auto bus = read_bus(std::string_view{device.bus}.substr(colon - 2, 2)).value_or(-2);
      long long narrowest = 1000;
      for (const auto& [bridge, range] : ranges_)
        if (bridge < i && range.first <= bus && bus <= range.last && range.last - range.first < narrowest) {
          narrowest = range.last - range.first;
          device.parent = static_cast<int>(bridge);
        }
    }
  }

 private:
  void open(std::string_view line, std::string_view bus) {
    ImportedDevice device;
    device.bus = bus;
    device.kind = kind_of(line);
    if (device.kind != ImportedKind::bridge) read_name(line, device);
    machine_.devices.push_back(std::move(device));
  }
  void set_domain(ImportedDevice& device, std::string_view text) {
    const auto numa = static_cast<int>(std::clamp<long long>(read_whole(text).value_or(0), 0, 63));
    for (std::size_t i = 0; i < machine_.domains.size(); ++i)
      if (machine_.domains[i].numa == numa) {
        device.domain = static_cast<int>(i);
        return;
      }
    if (machine_.domains.size() == 1 && machine_.domains[0].numa < 0) {
      machine_.domains[0].numa = numa;
      return;
    }
    machine_.domains.push_back({{}, -1, -1, numa});
    device.domain = static_cast<int>(machine_.domains.size()) - 1;
  }

  ImportedMachine& machine_;
  std::map<std::size_t, BusRange> ranges_;
};

}  // namespace

ImportedMachine import_lspci(const std::string& name, std::string_view bytes) {
  ImportedMachine machine;
  machine.format = "lspci";
  LspciReader reader{machine};
  for (const auto line : split_lines(bytes)) reader.read(line);
  if (machine.devices.empty()) throw DataError{{name, 1, {}}, msg("holds no device; expected the text of `lspci -vvv`")};
  reader.link_tree();
  if (machine.guest)
    machine.questions.push_back(
        {"guest", msg("read inside a virtual machine: memory windows (BAR), links and the tree are what the guest "
                      "sees; read them on the host")});
  if (std::none_of(machine.devices.begin(), machine.devices.end(), [](const auto& one) { return one.generation || one.able; }))
    machine.questions.push_back({"links", msg("no link lines: run `lspci -vvv` as root")});
  return machine;
}

}  // namespace rigplan
