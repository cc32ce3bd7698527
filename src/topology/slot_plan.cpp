// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/slot_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"
#include "topology/bridge_reach.h"
#include "topology/free_ports.h"

namespace rigplan {
namespace {

/// Slots that are alike in everything that a graph sees; swapping cards between them changes nothing.
std::vector<int> slot_classes(const Board& board, const std::vector<FreePort>& ports) {
  using Key = std::tuple<std::string, int, int, std::string>;
  std::map<Key, int> known;
  std::vector<int> classes;
  for (const auto& one : ports) {
    const auto slot = std::find_if(board.slots.begin(), board.slots.end(), [&](const Slot& s) { return s.id == one.plug; });
    const bool takes_part = slot != board.slots.end() && !slot->shares_with.empty();
    const bool shared = takes_part || std::any_of(board.slots.begin(), board.slots.end(), [&](const Slot& s) {
                          return std::find(s.shares_with.begin(), s.shares_with.end(), one.plug) != s.shares_with.end();
                        });
    const Key key{one.port.parent, one.port.wired.generation, one.port.wired.lanes, shared ? one.plug : std::string{}};
    classes.push_back(known.emplace(key, static_cast<int>(known.size())).first->second);
  }
  return classes;
}

/// Cards that may change places without a difference: same kind, same bridge, same group, nothing of their own.
std::vector<int> card_classes(const RigNode& node, const Traffic& traffic, bool with_bridges) {
  std::vector<int> classes(node.cards.size());
  std::map<std::tuple<std::string, int, int>, int> known;
  for (std::size_t i = 0; i < node.cards.size(); ++i) {
    int bridge = -1;
    for (std::size_t b = 0; b < node.bridges.size() && with_bridges; ++b)
      if (std::find(node.bridges[b].cards.begin(), node.bridges[b].cards.end(), static_cast<int>(i)) !=
          node.bridges[b].cards.end())
        bridge = static_cast<int>(b);
    const bool own = !traffic.between.empty() || node.cards[i].bar || node.cards[i].trained || node.cards[i].peer_over_pcie;
    const int group = traffic.groups.empty() ? 0 : traffic.groups[i];
    classes[i] = known
                     .emplace(std::tuple{node.cards[i].gpu, own ? -2 - static_cast<int>(i) : bridge, group},
                              static_cast<int>(known.size()))
                     .first->second;
  }
  return classes;
}

/// All ways to put the bridges of a machine on cards of the kind that they join now; ways that join like cards count once.
class BridgeChoices {
 public:
  BridgeChoices(const RigNode& node, const Traffic& traffic)
      : node_{node}, classes_{card_classes(node, traffic, false)}, used_(node.cards.size()), now_{node.bridges} {}

  std::vector<std::vector<BridgePlace>> all() {
    choose(0, 0);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t most = 200;

  /// Fills bridge `b` with cards from number `from` on.
  void choose(std::size_t b, std::size_t from) {
    if (found_.size() >= most) return;
    if (b == now_.size()) return keep();
    auto& cards = now_[b].cards;
    const auto wanted = node_.bridges[b].cards.size();
    if (from == 0) cards.clear();
    if (cards.size() == wanted) return choose(b + 1, 0);
    const auto& kind = node_.cards[static_cast<std::size_t>(node_.bridges[b].cards.front())].gpu;
    for (auto i = from; i < node_.cards.size(); ++i) {
      if (used_[i] || node_.cards[i].gpu != kind) continue;
      used_[i] = true;
      cards.push_back(static_cast<int>(i));
      choose(b, i + 1);
      cards.pop_back();
      used_[i] = false;
    }
  }
  void keep() {
    std::vector<std::vector<int>> signature;
    for (const auto& bridge : now_) {
      auto& classes = signature.emplace_back();
      for (const int card : bridge.cards) classes.push_back(classes_[static_cast<std::size_t>(card)]);
      std::sort(classes.begin(), classes.end());
    }
    std::sort(signature.begin(), signature.end());
    if (seen_.insert(signature).second) found_.push_back(now_);
  }

  const RigNode& node_;
  std::vector<int> classes_;
  std::vector<bool> used_;
  std::vector<BridgePlace> now_;
  std::set<std::vector<std::vector<int>>> seen_;
  std::vector<std::vector<BridgePlace>> found_;
};

/// Walks all placements once, those that only swap like cards or like slots left out.
class Search {
 public:
  /// @param plan  what was found before; the search goes on with it
  Search(const Rig& rig, const Catalog& catalog, const Traffic& traffic, int limit, bool bridges_reach, SlotPlan& plan)
      : rig_{rig}, catalog_{catalog}, traffic_{traffic}, limit_{limit}, bridges_reach_{bridges_reach}, plan_{plan} {
    auto& node = rig_.nodes.front();
    node.count = 1;
    for (auto& card : node.cards) {
      if (!card.plug.via.empty()) continue;
      card.plug.slot.clear();
      card.trained.reset();  // what was seen in the old slot says nothing about the new one
    }
    for (std::size_t i = 0; i < node.nics.size(); ++i)
      if (!node.nics[i].plug.slot.empty()) moved_nics_.push_back(i), node.nics[i].plug.slot.clear();
    ports_ = free_ports(node, catalog);
    drop_small_connectors(node.cards.size());
    sort_by_class(board_of(node, catalog));
    card_class_ = card_classes(node, traffic, true);
    used_.resize(ports_.size());
  }

  void run() { place(0); }

 private:
  /// M.2, OCuLink and x1 count only where the long slots and the ports of adapters do not take all cards.
  void drop_small_connectors(std::size_t cards) {
    const auto is_long = [](const FreePort& one) { return one.port.length >= 8 || one.plug.find('/') != std::string::npos; };
    if (static_cast<std::size_t>(std::count_if(ports_.begin(), ports_.end(), is_long)) < cards) return;
    ports_.erase(std::remove_if(ports_.begin(), ports_.end(), [&](const FreePort& one) { return !is_long(one); }), ports_.end());
  }

  /// Like slots next to each other, so that one of each kind is tried.
  void sort_by_class(const Board& board) {
    const auto classes = slot_classes(board, ports_);
    std::vector<std::size_t> order(ports_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return classes[a] < classes[b]; });
    std::vector<FreePort> sorted;
    for (const auto i : order) {
      sorted.push_back(ports_[i]);
      slot_class_.push_back(classes[i]);
    }
    ports_ = std::move(sorted);
  }

  void place(std::size_t card) {
    auto& cards = rig_.nodes.front().cards;
    if (plan_.tried >= limit_) {
      plan_.complete = false;
      return;
    }
    if (card == cards.size()) return judge();
    if (!cards[card].plug.slot.empty()) return place(card + 1);
    int last_class = -1;
    for (std::size_t p = first_port(card); p < ports_.size(); ++p) {
      if (used_[p] || slot_class_[p] == last_class) continue;
      last_class = slot_class_[p];
      used_[p] = true;
      chosen_[card] = p;
      cards[card].plug.slot = ports_[p].plug;
      place(card + 1);
      cards[card].plug.slot.clear();
      used_[p] = false;
    }
  }

  /// Like cards take slots in rising order.
  std::size_t first_port(std::size_t card) {
    chosen_.resize(std::max(chosen_.size(), card + 1));
    for (std::size_t before = card; before-- > 0;)
      if (card_class_[before] == card_class_[card] && before < chosen_.size()) return chosen_[before];
    return 0;
  }

  /// NICs take what the cards leave.
  bool place_nics(RigNode& node) const {
    for (const auto i : moved_nics_) {
      const auto& nic = std::get<Nic>(catalog_.parts.find(node.nics[i].part)->what);
      if (!plug_where_best(node.nics[i].plug, node, catalog_, nic.pcie.value_or(PcieLink{}))) return false;
    }
    return true;
  }

  bool bridges_reach(const RigNode& node) const {
    return std::all_of(node.bridges.begin(), node.bridges.end(), [&](const BridgePlace& bridge) {
      return bridge_reach(node, board_of(node, catalog_), bridge) != BridgeReach::card_between;
    });
  }

  /// Cards of one bridge side by side: among slots that are alike the order makes no other difference.
  void gather_bridged(RigNode& node) const {
    std::map<int, std::vector<std::size_t>> cards_of_class;
    for (std::size_t card = 0; card < chosen_.size(); ++card)
      if (moves(card)) cards_of_class[slot_class_[chosen_[card]]].push_back(card);
    for (auto& [slots, cards] : cards_of_class) {
      std::vector<std::size_t> ports;
      for (const auto card : cards) ports.push_back(chosen_[card]);
      std::sort(ports.begin(), ports.end());
      std::stable_sort(cards.begin(), cards.end(), [&](auto a, auto b) { return bridge_of(node, a) < bridge_of(node, b); });
      for (std::size_t i = 0; i < cards.size(); ++i) node.cards[cards[i]].plug.slot = ports_[ports[i]].plug;
    }
  }
  bool moves(std::size_t card) const { return rig_.nodes.front().cards[card].plug.via.empty(); }
  static std::size_t bridge_of(const RigNode& node, std::size_t card) {
    std::size_t b = 0;
    while (b < node.bridges.size() &&
           std::count(node.bridges[b].cards.begin(), node.bridges[b].cards.end(), static_cast<int>(card)) == 0)
      ++b;
    return b;
  }

  void judge() {
    auto whole = rig_;
    gather_bridged(whole.nodes.front());
    if (find_fault(whole, catalog_)) return;
    if (bridges_reach_ && !bridges_reach(whole.nodes.front())) return;
    if (!place_nics(whole.nodes.front())) return;
    ++plan_.tried;
    const auto found = placement_time(build_graph(whole, catalog_), traffic_);
    const Placement placement{whole, found.time, found.link};
    if (plan_.tried == 1 || found.time < plan_.best.time) plan_.best = placement;
    if (plan_.tried == 1 || found.time > plan_.worst.time) plan_.worst = placement;
  }

  Rig rig_;
  const Catalog& catalog_;
  const Traffic& traffic_;
  int limit_;
  std::vector<FreePort> ports_;
  std::vector<int> slot_class_, card_class_;
  std::vector<bool> used_;
  std::vector<std::size_t> moved_nics_;
  std::vector<std::size_t> chosen_;
  bool bridges_reach_;
  SlotPlan& plan_;
};

}  // namespace

SlotPlan plan_slots(const Rig& rig, const Catalog& catalog, const Traffic& traffic, int limit) {
  if (rig.nodes.size() != 1) throw DataError{{rig.name, 0, "/nodes"}, msg("slots are planned for one kind of machine at a time")};
  const auto& node = rig.nodes.front();
  if (!traffic.groups.empty() && traffic.groups.size() != node.cards.size())
    throw DataError{{rig.name, 0, "/nodes/0"}, msg("every card needs a group to talk in")};
  SlotPlan plan;
  const auto choices = BridgeChoices{node, traffic}.all();
  for (const bool reach : {true, false}) {
    for (const auto& bridges : choices) {
      auto one = rig;
      one.nodes.front().bridges = bridges;
      Search{one, catalog, traffic, limit, reach, plan}.run();
    }
    if (plan.tried > 0) break;
  }
  if (plan.tried == 0) throw DataError{{rig.name, 0, "/nodes/0"}, msg("the cards do not all find a slot on this board")};
  const bool stated =
      std::all_of(node.cards.begin(), node.cards.end(), [](const CardPlace& card) { return !card.plug.slot.empty(); });
  if (stated) {
    auto present = rig;
    present.nodes.front().count = 1;
    const auto found = placement_time(build_graph(present, catalog), traffic);
    plan.present = Placement{present, found.time, found.link};
  }
  return plan;
}

}  // namespace rigplan
