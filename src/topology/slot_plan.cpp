// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/slot_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/paths.h"
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

/// Cards that may change places without a difference: same kind, same bridge, nothing of their own.
std::vector<int> card_classes(const RigNode& node, const Traffic& traffic) {
  std::vector<int> classes(node.cards.size());
  std::map<std::tuple<std::string, int>, int> known;
  for (std::size_t i = 0; i < node.cards.size(); ++i) {
    int bridge = -1;
    for (std::size_t b = 0; b < node.bridges.size(); ++b)
      if (std::find(node.bridges[b].cards.begin(), node.bridges[b].cards.end(), static_cast<int>(i)) !=
          node.bridges[b].cards.end())
        bridge = static_cast<int>(b);
    const bool own = !traffic.between.empty() || node.cards[i].bar || node.cards[i].trained || node.cards[i].peer_over_pcie;
    classes[i] =
        known.emplace(std::tuple{node.cards[i].gpu, own ? -2 - static_cast<int>(i) : bridge}, static_cast<int>(known.size()))
            .first->second;
  }
  return classes;
}

/// Walks all placements once, those that only swap like cards or like slots left out.
class Search {
 public:
  Search(const Rig& rig, const Catalog& catalog, const Traffic& traffic, int limit)
      : rig_{rig}, catalog_{catalog}, traffic_{traffic}, limit_{limit} {
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
    card_class_ = card_classes(node, traffic);
    used_.resize(ports_.size());
  }

  SlotPlan run() {
    place(0);
    return std::move(plan_);
  }

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

  void judge() {
    if (find_fault(rig_, catalog_)) return;
    auto whole = rig_;
    if (!place_nics(whole.nodes.front())) return;
    ++plan_.tried;
    const auto graph = build_graph(whole, catalog_);
    const auto found = placement_time(graph, traffic_);
    if (plan_.tried == 1 || found.time < plan_.best_time)
      plan_.best = whole, plan_.best_time = found.time, plan_.best_link = found.link;
    if (plan_.tried == 1 || found.time > plan_.worst_time)
      plan_.worst = whole, plan_.worst_time = found.time, plan_.worst_link = found.link;
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
  SlotPlan plan_;
};

}  // namespace

PlacementTime placement_time(const RigGraph& graph, const Traffic& traffic) {
  const int n = graph.cards();
  std::map<LinkId, Bytes> load;
  Seconds all_links;
  const auto carry = [&](const Route& route, Bytes bytes) {
    for (const auto& hop : route.hops) load[hop.link] += hop.weight * bytes;
  };
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      if (a == b) continue;
      const auto bytes =
          traffic.between.empty() ? traffic.to_each : traffic.between[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
      if (bytes > Bytes{}) carry(route(graph, a, b, traffic.assumption), bytes);
    }
  PlacementTime worst;
  for (const auto& [link, bytes] : load) {
    const auto time = bytes / graph.link(link).bandwidth;
    all_links += time;
    if (time > worst.time) worst = {time, link};
  }
  worst.time += 1e-6 * all_links;  // between placements with one bottleneck, the one that loads all links less
  return worst;
}

SlotPlan plan_slots(const Rig& rig, const Catalog& catalog, const Traffic& traffic, int limit) {
  if (rig.nodes.size() != 1) throw DataError{{rig.name, 0, "/nodes"}, "slots are planned for one kind of machine at a time"};
  auto plan = Search{rig, catalog, traffic, limit}.run();
  if (plan.tried == 0) throw DataError{{rig.name, 0, "/nodes/0"}, "the cards do not all find a slot on this board"};
  return plan;
}

}  // namespace rigplan
