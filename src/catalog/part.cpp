// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/part.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "catalog/readers.h"
#include "catalog/shelf_reader.h"

namespace rigplan {
namespace {

/// The words of "type", in the order of the alternatives of Part::what; the kinds of OtherPart follow.
constexpr std::string_view types[] = {"riser",          "bifurcator", "switch",  "bridge",  "nic",
                                      "network-switch", "psu",        "memory",  "storage", "case",
                                      "cooling",        "cable",      "carrier", "machine", "service"};
constexpr std::size_t first_other = 7;

/// Lanes of each port, such as [8, 8].
std::vector<int> read_ports(Cursor at, std::size_t least) {
  std::vector<int> ports;
  for (const auto& port : at.elements()) ports.push_back(static_cast<int>(port.integer(1, 16)));
  if (ports.size() < least) at.fail(fmt::format("has {} ports; expected at least {}", ports.size(), least));
  return ports;
}

void read(EntryReader& reader, Riser& riser) {
  reader.required("link", riser.link);
  reader.optional("usb_cable", riser.usb_cable);
}

void read(EntryReader& reader, Bifurcator& bifurcator) {
  if (const auto lanes = reader.required("lanes")) bifurcator.lanes = static_cast<int>(lanes->integer(2, 16));
  const auto at = reader.required("ports");
  if (!at) return;
  bifurcator.ports = read_ports(*at, 2);
  const int sum = std::accumulate(bifurcator.ports.begin(), bifurcator.ports.end(), 0);
  if (sum > bifurcator.lanes) at->fail(fmt::format("has {} lanes; a slot of x{} has fewer", sum, bifurcator.lanes));
}

void read(EntryReader& reader, PcieSwitch& one) {
  reader.required("upstream", one.upstream);
  reader.optional("upstream_ports", one.upstream_ports, 1, 8);
  if (const auto at = reader.required("ports")) one.ports = read_ports(*at, 1);
  reader.required("latency", one.latency, 1 * ns, 10 * us);
}

void read(EntryReader& reader, BridgePart& bridge) {
  constexpr std::string_view kinds[] = {"nvlink", "xgmi"};
  reader.required("fabric", bridge.kind, kinds);
  reader.optional("cards", bridge.cards, 2, 16);
  reader.optional("fits", bridge.fits);
}

void read(EntryReader& reader, Nic& nic) {
  reader.required("rate", nic.rate, 0.1 * Gbit_per_s, 3200 * Gbit_per_s);
  reader.optional("ports", nic.ports, 1, 8);
  reader.optional("rdma", nic.rdma);
  reader.optional("link", nic.pcie);
}

void read(EntryReader& reader, NetworkSwitch& network) {
  if (const auto ports = reader.required("ports")) network.ports = static_cast<int>(ports->integer(2, 512));
  reader.required("port_rate", network.port_rate, 0.1 * Gbit_per_s, 1600 * Gbit_per_s);
}

void read(EntryReader& reader, Psu& psu) {
  constexpr std::string_view forms[] = {"atx", "server"};
  reader.required("power", psu.power, 50 * watt, 10 * kW);
  reader.required("rating", psu.rating);
  reader.optional("pcie_8pin", psu.pcie_8pin, 0, 32);
  reader.optional("hpwr", psu.hpwr, 0, 8);
  reader.optional("eps", psu.eps, 0, 8);
  reader.required("form", psu.form, forms);
}

void read(EntryReader& reader, OtherPart& other) {
  reader.optional("size", other.size, 64 * MiB, 1024 * TiB);
  reader.optional("pieces", other.pieces, 1, 64);
  reader.optional("fits", other.fits);
  reader.optional("cards", other.cards, 0, 64);
}

/// Makes `part` hold the alternative of its type; an overlay may leave the type out and must not change it.
void read_type(EntryReader& reader, Part& part) {
  const auto at = reader.plain("type");
  if (!at) {
    if (!reader.overlay()) reader.at().fail("has no \"type\"");
    return;
  }
  const auto type = at->one_of(types);
  const auto index = std::min(type, first_other);
  if (reader.overlay()) {
    const auto* other = std::get_if<OtherPart>(&part.what);
    if (part.what.index() != index || (other && other->kind != types[type]))
      at->fail("differs from the type of the part of this id");
    return;
  }
  switch (index) {
    case 0:
      part.what.emplace<Riser>();
      break;
    case 1:
      part.what.emplace<Bifurcator>();
      break;
    case 2:
      part.what.emplace<PcieSwitch>();
      break;
    case 3:
      part.what.emplace<BridgePart>();
      break;
    case 4:
      part.what.emplace<Nic>();
      break;
    case 5:
      part.what.emplace<NetworkSwitch>();
      break;
    case 6:
      part.what.emplace<Psu>();
      break;
    default:
      part.what.emplace<OtherPart>().kind = types[type];
  }
}

void read_part(EntryReader& reader, Part& part) {
  read_type(reader, part);
  std::visit([&](auto& what) { read(reader, what); }, part.what);
  reader.warnings(part.warnings);
}

std::string_view last_word(std::string_view text) { return text.substr(text.rfind(' ') + 1); }

}  // namespace

bool memory_fits(std::string_view fits, std::string_view board_memory) {
  const auto generation = [](std::string_view text) { return text.substr(0, std::min(text.find('-'), text.find(' '))); };
  return generation(fits) == generation(board_memory) && last_word(fits) == last_word(board_memory);
}

void read_parts(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("parts"), sources, catalog.parts.entries, read_part);
}

}  // namespace rigplan
