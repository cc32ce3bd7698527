// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rigplan/json/cursor.h"
#include "rigplan/topology/pcie.h"

namespace rigplan {
namespace {

/// Where each thing of a node stands in the file, so that a fault found later can be shown there.
struct NodePlaces {
  std::vector<Cursor> node, adapters, cards, nics, bridges;
};

/// An id of the catalog, written as the catalog spells it. An alias is good too.
template <class T>
std::string known_id(Cursor at, const Shelf<T>& shelf, std::string_view what) {
  const auto& id = at.text();
  if (const auto* entry = shelf.find(id)) return entry->id;
  at.fail(fmt::format("there is no {} \"{}\" in the catalog{}", what, id, did_you_mean(id, shelf.ids())));
}

PcieLink read_link(Cursor at) {
  if (const auto link = parse_pcie_link(at.text())) return *link;
  at.fail(fmt::format("is \"{}\"; expected a link such as \"PCIe 3.0 x8\" (generation 1 to 7; x1, x2, x4, x8, x12, x16 or x32)",
                      at.text()));
}

int read_count(ObjectReader& object) {
  const auto at = object.optional("count");
  return at ? static_cast<int>(at->integer(1, 4096)) : 1;
}

Plug read_plug(ObjectReader& object, const Catalog& catalog) {
  Plug plug;
  if (const auto at = object.optional("plug")) plug.slot = at->text();
  if (const auto at = object.optional("via"))
    for (const auto& part : at->elements()) plug.via.push_back(known_id(part, catalog.parts, "part"));
  return plug;
}

PeerOverPcie read_peer(Cursor at) {
  constexpr std::string_view names[] = {"no", "yes", "unknown"};
  return static_cast<PeerOverPcie>(at.one_of(names));
}

void read_cards(Cursor list, const Catalog& catalog, RigNode& node, NodePlaces& places) {
  for (const auto& at : list.elements()) {
    ObjectReader object{at};
    CardPlace card;
    card.gpu = known_id(object.required("gpu"), catalog.gpus, "card");
    card.plug = read_plug(object, catalog);
    if (const auto cap = object.optional("power_cap")) card.power_cap = cap->quantity<Watts>();
    if (const auto peer = object.optional("peer_over_pcie")) card.peer_over_pcie = read_peer(*peer);
    if (const auto bar = object.optional("bar")) card.bar = bar->quantity<Bytes>();
    if (const auto trained = object.optional("trained")) card.trained = read_link(*trained);
    const int count = read_count(object);
    if (count > 1 && !card.plug.slot.empty())
      at.fail(fmt::format("{} cards cannot share the plug \"{}\"; leave \"plug\" out, or write one entry a card", count,
                          card.plug.slot));
    object.finish();
    for (int i = 0; i < count; ++i) {
      node.cards.push_back(card);
      places.cards.push_back(at);
    }
  }
}

void read_adapters(Cursor list, const Catalog& catalog, RigNode& node, NodePlaces& places) {
  for (const auto& at : list.elements()) {
    ObjectReader object{at};
    AdapterPlace adapter;
    adapter.id = object.required("id").text();
    adapter.part = known_id(object.required("part"), catalog.parts, "part");
    adapter.plug = read_plug(object, catalog);
    if (const auto more = object.optional("more_plugs"))
      for (auto& slot : more->texts()) adapter.more_plugs.push_back({std::move(slot), {}});
    object.finish();
    node.adapters.push_back(std::move(adapter));
    places.adapters.push_back(at);
  }
}

void read_nics(Cursor list, const Catalog& catalog, RigNode& node, NodePlaces& places) {
  for (const auto& at : list.elements()) {
    ObjectReader object{at};
    NicPlace nic{known_id(object.required("part"), catalog.parts, "part"), read_plug(object, catalog)};
    const int count = read_count(object);
    object.finish();
    for (int i = 0; i < count; ++i) {
      node.nics.push_back(nic);
      places.nics.push_back(at);
    }
  }
}

void read_bridges(Cursor list, const Catalog& catalog, RigNode& node, NodePlaces& places) {
  for (const auto& at : list.elements()) {
    ObjectReader object{at};
    BridgePlace bridge;
    if (const auto part = object.optional("part")) bridge.part = known_id(*part, catalog.parts, "part");
    for (const auto& card : object.required("cards").elements()) bridge.cards.push_back(static_cast<int>(card.integer(0, 4095)));
    if (const auto links = object.optional("links")) bridge.links = static_cast<int>(links->integer(1, 64));
    object.finish();
    node.bridges.push_back(std::move(bridge));
    places.bridges.push_back(at);
  }
}

HostSettings read_host(Cursor at) {
  ObjectReader object{at};
  HostSettings host;
  const auto read = [&](std::string_view key, std::optional<bool>& target) {
    if (const auto found = object.optional(key)) target = found->boolean();
  };
  read("above_4g", host.above_4g);
  read("resizable_bar", host.resizable_bar);
  read("iommu_translates", host.iommu_translates);
  read("acs_redirect", host.acs_redirect);
  read("peer_driver", host.peer_driver);
  read("virtual_machine", host.virtual_machine);
  object.finish();
  return host;
}

/// "x8x4x4"
std::vector<int> read_split(Cursor at) {
  std::vector<int> parts;
  const std::string_view text = at.text();
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('x', begin + 1), text.size());
    const auto lanes = parse_integer(text.substr(begin + 1, end - begin - 1), 1, 16);
    if (text[begin] != 'x' || std::holds_alternative<UnitError>(lanes))
      at.fail(fmt::format("is \"{}\"; expected a split such as \"x8x8\"", text));
    parts.push_back(static_cast<int>(std::get<long long>(lanes)));
    begin = end;
  }
  return parts;
}

Slot read_slot(Cursor at) {
  ObjectReader object{at};
  Slot slot;
  slot.id = object.required("id").text();
  slot.link = read_link(object.required("link"));
  slot.physical_lanes = slot.link.lanes;
  if (const auto length = object.optional("length")) slot.physical_lanes = static_cast<int>(length->integer(1, 32));
  slot.fed_by = "cpu0";
  if (const auto feeder = object.optional("fed_by")) slot.fed_by = feeder->text();
  if (const auto splits = object.optional("splits"))
    for (const auto& split : splits->elements()) slot.splits.push_back(read_split(split));
  if (const auto shares = object.optional("shares_with")) slot.shares_with = shares->texts();
  if (const auto left = object.optional("lanes_when_shared")) slot.lanes_when_shared = static_cast<int>(left->integer(0, 16));
  object.finish();
  return slot;
}

/// A board that is in no catalog: "board": { "name": "...", "slots": [ { "id": "A", "link": "PCIe 3.0 x8" } ] }.
Board read_own_board(Cursor at) {
  ObjectReader object{at};
  Board board;
  board.id = board.name = object.required("name").text();
  if (const auto sockets = object.optional("sockets")) board.sockets = static_cast<int>(sockets->integer(1, 8));
  if (const auto uplink = object.optional("chipset_uplink")) board.chipset_uplink = read_link(*uplink);
  if (const auto devices = object.optional("chipset_devices")) board.chipset_devices = devices->texts();
  if (const auto memory = object.optional("memory_bandwidth")) board.memory_bandwidth = memory->quantity<Bandwidth>();
  if (const auto switches = object.optional("switches"))
    for (const auto& one : switches->elements()) {
      ObjectReader fields{one};
      board.switches.push_back({fields.required("id").text(), read_link(fields.required("upstream")), "cpu0"});
      if (const auto feeder = fields.optional("fed_by")) board.switches.back().fed_by = feeder->text();
      fields.finish();
    }
  if (const auto slots = object.optional("slots"))
    for (const auto& slot : slots->elements()) board.slots.push_back(read_slot(slot));
  object.finish();
  if (const auto fault = wiring_fault(board); !fault.empty()) at.fail(fault);
  return board;
}

void read_psus(Cursor list, const Catalog& catalog, RigNode& node) {
  for (const auto& at : list.elements()) {
    if (at.is_text()) {
      node.psus.push_back(known_id(at, catalog.parts, "part"));
      continue;
    }
    ObjectReader object{at};
    const auto part = known_id(object.required("part"), catalog.parts, "part");
    node.psus.insert(node.psus.end(), static_cast<std::size_t>(read_count(object)), part);
    object.finish();
  }
}

RigNode read_node(Cursor at, std::size_t index, const Catalog& catalog, NodePlaces& places) {
  ObjectReader object{at};
  RigNode node;
  places.node.push_back(at);
  node.id = fmt::format("node{}", index);
  if (const auto id = object.optional("id")) node.id = id->text();
  node.count = read_count(object);
  const auto board = object.required("board");
  if (board.is_object())
    node.own_board = read_own_board(board);
  else
    node.board = known_id(board, catalog.boards, "board");
  if (const auto cpu = object.optional("cpu")) node.cpu = known_id(*cpu, catalog.cpus, "CPU");
  if (const auto memory = object.optional("memory")) node.memory = memory->quantity<Bytes>();
  if (const auto psus = object.optional("psus")) read_psus(*psus, catalog, node);
  if (const auto adapters = object.optional("adapters")) read_adapters(*adapters, catalog, node, places);
  if (const auto cards = object.optional("cards")) read_cards(*cards, catalog, node, places);
  if (const auto nics = object.optional("nics")) read_nics(*nics, catalog, node, places);
  if (const auto bridges = object.optional("bridges")) read_bridges(*bridges, catalog, node, places);
  if (const auto host = object.optional("host")) node.host = read_host(*host);
  object.finish();
  return node;
}

RigNetwork read_network(Cursor at, const Catalog& catalog) {
  ObjectReader object{at};
  RigNetwork network;
  if (const auto part = object.optional("switch")) network.network_switch = known_id(*part, catalog.parts, "part");
  network.rate = object.required("rate").quantity<Bandwidth>();
  if (network.rate <= Bandwidth{}) object.at().fail("a network needs a rate above 0");
  if (const auto rdma = object.optional("rdma")) network.rdma = rdma->boolean();
  if (const auto over = object.optional("oversubscription")) network.oversubscription = over->number_within(1, 64);
  object.finish();
  return network;
}

BillLine read_bill_line(Cursor at) {
  ObjectReader object{at};
  BillLine line;
  line.item = object.required("item").text();
  if (const auto count = object.optional("count")) line.count = count->number_within(0, 1e6);
  if (const auto price = object.optional("price")) line.price = price->quantity<Yuan>();
  object.finish();
  return line;
}

[[noreturn]] void report(const RigFault& fault, const std::vector<NodePlaces>& places) {
  const auto& node = places[static_cast<std::size_t>(fault.node)];
  const std::array lists = {&node.node, &node.adapters, &node.cards, &node.nics, &node.bridges};
  (*lists[static_cast<std::size_t>(fault.where)])[static_cast<std::size_t>(fault.index)].fail(fault.message);
}

}  // namespace

Rig read_rig(Cursor at, const Catalog& catalog) {
  ObjectReader object{at};
  const auto schema = object.required("schema");
  if (schema.text() != "rigplan/rig/1") schema.fail(fmt::format("is \"{}\"; expected \"rigplan/rig/1\"", schema.text()));
  Rig rig;
  if (const auto name = object.optional("name")) rig.name = name->text();
  object.optional("notes");  // for people
  std::vector<NodePlaces> places;
  const auto nodes = object.required("nodes");
  for (const auto& node : nodes.elements()) {
    places.emplace_back();
    rig.nodes.push_back(read_node(node, rig.nodes.size(), catalog, places.back()));
  }
  if (rig.nodes.empty()) nodes.fail("a rig needs at least one node");
  if (const auto network = object.optional("network")) rig.network = read_network(*network, catalog);
  if (const auto bill = object.optional("bill"))
    for (const auto& line : bill->elements()) rig.bill.push_back(read_bill_line(line));
  object.finish();
  if (const auto fault = find_fault(rig, catalog)) report(*fault, places);
  return rig;
}

}  // namespace rigplan
