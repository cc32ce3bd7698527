// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "catalog/readers.h"
#include "catalog/shelf_reader.h"

namespace rigplan {
namespace {

/// "x8x4x4": the lanes of each part; together they are at most the lanes of the slot.
std::vector<int> read_split(Cursor at, int lanes) {
  const auto& text = at.text();
  std::vector<int> parts;
  for (std::size_t i = 0; i < text.size();) {
    const auto end = std::min(text.find('x', i + 1), text.size());
    const auto number = parse_integer(std::string_view{text}.substr(i + 1, end - i - 1), 1, 16);
    const auto* part = std::get_if<long long>(&number);
    if (text[i] != 'x' || !part) at.fail(fmt::format("is \"{}\"; expected a split such as \"x8x4x4\"", text));
    parts.push_back(static_cast<int>(*part));
    i = end;
  }
  const int sum = std::accumulate(parts.begin(), parts.end(), 0);
  if (sum > lanes || parts.size() < 2)
    at.fail(fmt::format("is \"{}\"; expected at least two parts of together at most {} lanes", text, lanes));
  return parts;
}

std::vector<std::vector<int>> read_splits(Cursor at, int lanes) {
  std::vector<std::vector<int>> splits;
  for (const auto& split : at.elements()) splits.push_back(read_split(split, lanes));
  return splits;
}

Slot read_slot(Cursor at) {
  ObjectReader object{at};
  Slot slot;
  slot.id = object.required("id").text();
  slot.link = read_pcie_link(object.required("link"));
  if (const auto length = object.optional("length"))
    slot.physical_lanes = static_cast<int>(length->integer(1, 16));
  else
    slot.physical_lanes = slot.link.lanes;
  if (slot.physical_lanes < slot.link.lanes)
    at.fail(fmt::format("is x{} long and wired for x{}; a slot cannot have more lanes than fit", slot.physical_lanes,
                        slot.link.lanes));
  slot.fed_by = object.required("fed_by").text();
  if (const auto splits = object.optional("splits")) slot.splits = read_splits(*splits, slot.link.lanes);
  if (const auto others = object.optional("shares_with")) slot.shares_with = others->texts();
  if (const auto left = object.optional("lanes_when_shared"))
    slot.lanes_when_shared = static_cast<int>(left->integer(0, slot.link.lanes));
  object.finish();
  return slot;
}

BoardSwitch read_board_switch(Cursor at) {
  ObjectReader object{at};
  BoardSwitch result{object.required("id").text(), read_pcie_link(object.required("upstream")), object.required("fed_by").text()};
  object.finish();
  return result;
}

void read_board(EntryReader& reader, Board& board) {
  reader.required("socket", board.socket);
  reader.optional("sockets", board.sockets, 1, 4);
  if (const auto switches = reader.optional("switches")) {
    board.switches.clear();
    for (const auto& at : switches->elements()) board.switches.push_back(read_board_switch(at));
  }
  if (const auto slots = reader.required("slots")) {
    board.slots.clear();
    for (const auto& at : slots->elements()) board.slots.push_back(read_slot(at));
  }
  reader.optional("chipset_uplink", board.chipset_uplink);
  reader.optional("chipset_devices", board.chipset_devices);
  reader.optional("memory_channels", board.memory_channels, 1, 64);
  reader.optional("memory_type", board.memory_type);
  reader.optional("memory_bandwidth", board.memory_bandwidth, 1 * GB_per_s, 4000 * GB_per_s);
  reader.optional("max_memory", board.max_memory, 1 * GiB, 64 * TiB);
  reader.optional("form_factor", board.form_factor);
  reader.optional("includes_cpu", board.includes_cpu);
  reader.warnings(board.warnings);
  if (const auto fault = wiring_fault(board); !fault.empty()) reader.at().fail(fault);
}

}  // namespace

namespace {

/// Everything that may feed a slot or a switch of this board.
std::vector<std::string> feeders(const Board& board) {
  std::vector<std::string> all;
  for (int i = 0; i < std::max(board.sockets, 1); ++i) all.push_back(fmt::format("cpu{}", i));
  all.emplace_back("chipset");
  for (const auto& one : board.switches) all.push_back(one.id);
  return all;
}

std::string feeder_fault(const std::string& what, const std::string& feeder, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), feeder) != known.end()) return {};
  return fmt::format("{} is fed by \"{}\"; expected one of {}", what, feeder, fmt::join(known, ", "));
}

std::string slot_fault(const Board& board, const Slot& slot, const std::vector<std::string>& known) {
  std::vector<std::string> ids;
  for (const auto& one : board.slots) ids.push_back(one.id);
  if (std::count(ids.begin(), ids.end(), slot.id) > 1) return fmt::format("the slot \"{}\" stands twice", slot.id);
  for (const auto& other : slot.shares_with)
    if (other == slot.id || std::find(ids.begin(), ids.end(), other) == ids.end())
      return fmt::format("slot \"{}\" shares with \"{}\", which is not another slot of this board{}", slot.id, other,
                         did_you_mean(other, ids));
  return feeder_fault(fmt::format("slot \"{}\"", slot.id), slot.fed_by, known);
}

/// Whether the way up from a switch comes to its end; no way has more switches than there are.
bool comes_to_an_end(const Board& board, std::string feeder) {
  for (std::size_t steps = 0; steps <= board.switches.size(); ++steps) {
    const auto at = std::find_if(board.switches.begin(), board.switches.end(), [&](const auto& one) { return one.id == feeder; });
    if (at == board.switches.end()) return true;
    feeder = at->fed_by;
  }
  return false;
}

}  // namespace

std::string wiring_fault(const Board& board) {
  const auto known = feeders(board);
  for (const auto& slot : board.slots)
    if (auto fault = slot_fault(board, slot, known); !fault.empty()) return fault;
  for (const auto& one : board.switches) {
    if (auto fault = feeder_fault(fmt::format("switch \"{}\"", one.id), one.fed_by, known); !fault.empty()) return fault;
    if (one.fed_by == one.id) return fmt::format("switch \"{}\" feeds itself", one.id);
    if (std::count(known.begin(), known.end(), one.id) > 1) return fmt::format("the switch \"{}\" stands twice", one.id);
    if (!comes_to_an_end(board, one.fed_by)) return fmt::format("the switch \"{}\" hangs in a circle of switches", one.id);
  }
  return {};
}

void read_boards(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("boards"), sources, catalog.boards.entries, read_board);
}

}  // namespace rigplan
