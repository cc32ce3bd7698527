// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "import/card_candidates.h"
#include "rigplan/import/machine.h"
#include "rigplan/topology/pcie.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// Makes one node of an imported machine, step by step.
class NodeMaker {
 public:
  NodeMaker(const ImportedMachine& machine, const Catalog& catalog, const std::string& gpu, std::vector<Question>& questions)
      : machine_{machine}, catalog_{catalog}, gpu_{gpu}, questions_{questions} {}

  RigNode make() {
    node_.id = "node0";
    node_.own_board.emplace();
    board().id = board().name = "imported " + machine_.format;
    board().sockets = std::clamp(static_cast<int>(machine_.domains.size()), 1, 8);
    if (board().sockets > 2)
      ask("sockets", fmt::format("{} NUMA domains were taken as sockets; are they parts of one or two?", board().sockets));
    if (machine_.labels.empty())
      make_switches();
    else
      make_switches_of_labels();
    make_cards();
    make_nics();
    make_bridges();
    make_settings();
    return std::move(node_);
  }

 private:
  Board& board() { return *node_.own_board; }
  void ask(std::string subject, std::string text) { questions_.push_back({std::move(subject), std::move(text)}); }
  const ImportedDevice& device(int d) const { return machine_.devices[static_cast<std::size_t>(d)]; }
  std::string socket_of(int d) const {
    return fmt::format("cpu{}", std::clamp(device(d).domain, 0, std::max(node_.own_board->sockets - 1, 0)));
  }

  /// Bridges below which more than one branch leads to a card or NIC: those are switches, the others lie on the way.
  void make_switches() {
    std::map<int, std::set<int>> branches;  // bridge -> its children on a way to a leaf
    for (int leaf = 0; leaf < static_cast<int>(machine_.devices.size()); ++leaf) {
      if (device(leaf).kind != ImportedKind::gpu && device(leaf).kind != ImportedKind::nic) continue;
      int below = leaf;
      for (int up = device(leaf).parent; up >= 0 && up < below; below = up, up = device(up).parent) branches[up].insert(below);
    }
    for (const auto& [bridge, children] : branches)
      if (children.size() > 1) switch_at_.emplace(bridge, fmt::format("sw{}", switch_at_.size()));
    for (const auto& [bridge, id] : switch_at_) {
      const auto way = way_of(bridge);
      board().switches.push_back({id, way.link.value_or(PcieLink{3, 16}), way.feeder});
      if (!way.link) ask(id, msg("the link of this switch is not stated; taken as PCIe 3.0 x16"));
    }
  }

  /// Cards that see each other as PIX sit below one switch.
  void make_switches_of_labels() {
    const auto cards = machine_.indices_of(ImportedKind::gpu);
    std::map<std::size_t, std::string> group;
    for (std::size_t a = 0; a < machine_.labels.size(); ++a)
      for (std::size_t b = a + 1; b < machine_.labels.size(); ++b) {
        if (machine_.labels[a][b] != "PIX" && machine_.labels[a][b] != "PXB") continue;
        if (!group.contains(a)) {
          group[a] = fmt::format("sw{}", board().switches.size());
          board().switches.push_back({group[a], {3, 16}, socket_of(cards[a])});
          ask(group[a], msg("a switch with an unknown link; taken as PCIe 3.0 x16"));
        }
        group.emplace(b, group[a]);
      }
    for (const auto& [card, id] : group) feeder_of_card_[cards[card]] = id;
  }

  struct Way {
    std::string feeder;
    std::optional<PcieLink> link;  ///< the least on the way, without what power saving shows
  };
  /// From a device up to the next switch or socket.
  Way way_of(int d) {
    Way way{socket_of(d), link_of(d)};
    if (const auto at = feeder_of_card_.find(d); at != feeder_of_card_.end()) way.feeder = at->second;
    int below = d;
    for (int up = device(d).parent; up >= 0 && up < below; below = up, up = device(up).parent) {
      if (const auto at = switch_at_.find(up); at != switch_at_.end()) {
        way.feeder = at->second;
        break;
      }
      if (const auto link = link_of(up)) way.link = way.link ? train(*way.link, *link) : *link;
    }
    return way;
  }

  /// What a device's link is worth for a plan: what it can do where it idles at 2.5 GT/s, else what was seen.
  std::optional<PcieLink> link_of(int d) {
    const auto& one = device(d);
    if (one.able && (!one.generation || !one.lanes)) return one.able;
    if (!one.generation || !one.lanes) return std::nullopt;
    const PcieLink seen{*one.generation, *one.lanes};
    if (!one.able) return seen;
    return PcieLink{seen.generation == 1 ? one.able->generation : seen.generation, seen.lanes};
  }

  const Gpu* choose_gpu(int d) {
    if (!gpu_.empty()) return catalog_.gpus.find(gpu_);
    const auto& card = device(d);
    auto found = card_candidates(catalog_, card);
    const auto what = card.name.empty() ? card.architecture : card.name;
    // A card in a fabric of peers is one that has ports enough for it.
    int links = 0;
    for (const auto& peer : card.peers) links += std::max(peer.count, 1);
    if (links > 0)
      std::stable_partition(found.begin(), found.end(),
                            [&](const Gpu* one) { return one->peer_ports && one->peer_ports->links >= links; });
    if (found.size() == 1) return found.front();
    std::vector<std::string> ids;
    for (const auto* gpu : found) ids.push_back(gpu->id);
    if (!asked_.insert(what).second) return found.empty() ? nullptr : found.front();
    if (found.empty())
      ask(card.bus, what.empty() ? msg("which card is this? the file does not say")
                                 : fmt::format("no card of the catalog is \"{}\": which one is it?", what));
    else
      ask(card.bus, fmt::format("\"{}\" could be {}; taken as the first", what, fmt::join(ids, ", ")));
    return found.empty() ? nullptr : found.front();
  }

  void make_cards() {
    int number = 0;
    for (const int d : machine_.indices_of(ImportedKind::gpu)) {
      const auto* gpu = choose_gpu(d);
      auto way = way_of(d);
      const auto able = gpu != nullptr ? gpu->pcie : std::nullopt;
      if (!way.link) {
        way.link = able.value_or(PcieLink{3, 16});
        if (machine_.labels.empty())
          ask(device(d).bus, fmt::format("the link of this card is not stated; taken as {}", to_text(*way.link)));
      }
      CardPlace card;
      card.gpu = gpu != nullptr ? gpu->id : "unknown";
      card.bar = device(d).bar;
      judge_link(d, *way.link, able);
      add_slot(fmt::format("slot{}", number++), *way.link, way.feeder);
      card.plug.slot = board().slots.back().id;
      card_at_[device(d).bus] = static_cast<int>(node_.cards.size());
      node_.cards.push_back(std::move(card));
    }
  }

  /// Where what was seen differs from what the card can do.
  void judge_link(int d, PcieLink& link, std::optional<PcieLink> able) {
    const auto& one = device(d);
    if (one.generation == 1 && (able.value_or(PcieLink{}).generation > 1 || (one.able && one.able->generation > 1))) {
      const auto best = one.able.value_or(able.value_or(link));
      ask(one.bus, fmt::format("shows 2.5 GT/s, the card can do {}: idle? measure under load; planned with PCIe {}.0",
                               to_text(best), best.generation));
      if (link.generation == 1) link.generation = best.generation;
    } else if (able && link.generation < able->generation) {
      ask(one.bus,
          fmt::format("the way runs at PCIe {}.0, the catalog says {} for the card: is the slot or a bridge on the way slower?",
                      link.generation, to_text(*able)));
    } else if (able && link.generation > able->generation) {
      ask(one.bus, fmt::format("the way runs at PCIe {}.0, the catalog says {} for the card: which is right?", link.generation,
                               to_text(*able)));
    }
    if (able && link.lanes < able->lanes)
      ask(one.bus, fmt::format("the way has x{}, the card has x{}: slot, riser or contact?", link.lanes, able->lanes));
  }

  void add_slot(std::string id, PcieLink link, std::string feeder) {
    Slot slot;
    slot.id = std::move(id);
    slot.link = link;
    slot.physical_lanes = link.lanes;
    slot.fed_by = std::move(feeder);
    board().slots.push_back(std::move(slot));
  }

  void make_nics() {
    int number = 0;
    for (const int d : machine_.indices_of(ImportedKind::nic)) {
      const auto rate = device(d).network_rate_mbit / 1000 * Gbit_per_s;
      const Part* part = nullptr;
      for (const auto& one : catalog_.parts.entries)
        if (const auto* nic = std::get_if<Nic>(&one.what);
            part == nullptr && nic != nullptr && rate > Bandwidth{} && nic->rate == rate)
          part = &one;
      const auto way = way_of(d);
      if (part == nullptr) {
        ask(device(d).bus, rate > Bandwidth{} ? fmt::format("the catalog has no NIC of {}; left out", to_text(rate))
                                              : std::string{msg("a NIC of unknown rate; left out")});
        continue;
      }
      add_slot(fmt::format("nic{}", number++), way.link.value_or(PcieLink{3, 16}), way.feeder);
      node_.nics.push_back({part->id, {board().slots.back().id, {}}});
    }
  }

  static constexpr double most_links = 1000;  ///< between two cards; more is a number that no file means

  const PeerPorts* ports_of(int card) const {
    const auto* gpu = catalog_.gpus.find(node_.cards[static_cast<std::size_t>(card)].gpu);
    return gpu != nullptr && gpu->peer_ports ? &*gpu->peer_ports : nullptr;
  }

  void make_bridges() {
    std::vector<int> switched;
    std::map<std::pair<int, int>, int> pairs;
    const auto gpus = machine_.indices_of(ImportedKind::gpu);
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      const int from = static_cast<int>(i);
      for (const auto& peer : device(gpus[i]).peers) {
        if (ports_of(from) == nullptr) {
          if (asked_.insert("ports").second && node_.cards[i].gpu != "unknown")
            ask(device(gpus[i]).bus, fmt::format("has peer links, but the catalog knows no connector on {}", node_.cards[i].gpu));
          continue;
        }
        const auto to = card_at_.find(peer.target);
        if (peer.to_switch) {
          if (switched.empty() || switched.back() != from) switched.push_back(from);
        } else if (to != card_at_.end() && to->second != from) {
          double count = peer.count;
          if (peer.count == 0 && peer.rate > Bandwidth{}) count = std::floor(peer.rate / ports_of(from)->per_link + 0.5);
          pairs[std::minmax(from, to->second)] = static_cast<int>(std::clamp(count, 0.0, most_links));
        } else if (to == card_at_.end() && !peer.target.empty()) {
          ask(device(gpus[i]).bus, fmt::format("has a link to {}, which is no card of the file; left out", peer.target));
        }
      }
    }
    if (switched.size() > 1) node_.bridges.push_back({{}, switched, 0});
    for (const auto& [pair, count] : pairs) add_pair(pair.first, pair.second, count);
  }

  void add_pair(int a, int b, int count) {
    const auto used = [&](int card) {
      int links = 0;
      for (const auto& bridge : node_.bridges)
        if (std::find(bridge.cards.begin(), bridge.cards.end(), card) != bridge.cards.end()) links += std::max(bridge.links, 1);
      return links;
    };
    const auto *ports = ports_of(a), *others = ports_of(b);
    const int want = std::max(count, 1);
    if (ports == nullptr || others == nullptr) {
      ask(fmt::format("GPU{}-GPU{}", a, b), msg("are linked, but the catalog knows a connector on one of them only; left out"));
      return;
    }
    if (used(a) + want > ports->links || used(b) + want > others->links) {
      ask(fmt::format("GPU{}-GPU{}", a, b),
          fmt::format("{} more link{} than the catalog gives the card ({})", want, want == 1 ? "" : "s", ports->links));
      return;
    }
    if (count == 0)
      ask(fmt::format("GPU{}-GPU{}", a, b), msg("joined by a bridge whose number of links is not stated; taken as 1"));
    node_.bridges.push_back({{}, {a, b}, want});
  }

  void make_settings() {
    for (const auto& one : machine_.devices)
      if (one.kind == ImportedKind::bridge && one.acs_redirect.value_or(false)) node_.host.acs_redirect = true;
    if (machine_.guest) node_.host.virtual_machine = true;
  }

  const ImportedMachine& machine_;
  const Catalog& catalog_;
  const std::string& gpu_;
  std::vector<Question>& questions_;
  RigNode node_;
  std::map<int, std::string> switch_at_, feeder_of_card_;
  std::map<std::string, int> card_at_;
  std::set<std::string> asked_;
};

}  // namespace

std::vector<int> ImportedMachine::indices_of(ImportedKind kind) const {
  std::vector<int> found;
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i].kind == kind) found.push_back(static_cast<int>(i));
  return found;
}

ImportedRig to_rig(const ImportedMachine& machine, const Catalog& catalog, const std::string& gpu) {
  ImportedRig imported;
  imported.questions = machine.questions;
  imported.rig.name = "imported " + machine.format;
  imported.rig.nodes.push_back(NodeMaker{machine, catalog, gpu, imported.questions}.make());
  if (machine.unknown_tags > 0)
    imported.questions.push_back({"file", fmt::format("{} unknown elements were skipped", machine.unknown_tags)});
  return imported;
}

}  // namespace rigplan
