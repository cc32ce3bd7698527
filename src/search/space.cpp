// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "rigplan/economics/cheapest_part.h"
#include "search/card_slots.h"

namespace rigplan {
namespace {

bool asked_for(const Gpu& gpu, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return !gpu.disputed;
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return matches_pattern(gpu.id, pattern) || matches_pattern(gpu.name, pattern);
  });
}

/// The cheapest adapter of each even division of a slot of 16 lanes.
std::vector<const Part*> split_parts(const Catalog& catalog, const PriceBook& prices) {
  std::vector<const Part*> splits;
  for (const auto& part : catalog.parts.entries) {
    const auto* adapter = std::get_if<Bifurcator>(&part.what);
    const auto* price = adapter ? prices.find(part.id) : nullptr;
    const bool even = adapter && std::equal(adapter->ports.begin() + 1, adapter->ports.end(), adapter->ports.begin());
    if (!price || adapter->lanes != 16 || !even) continue;
    const auto same = std::find_if(splits.begin(), splits.end(),
                                   [&](const Part* other) { return std::get<Bifurcator>(other->what).ports == adapter->ports; });
    if (same == splits.end())
      splits.push_back(&part);
    else if (const auto& known = **same;
             std::pair{price->range.likely, part.id} < std::pair{prices.find(known.id)->range.likely, known.id})
      *same = &part;
  }
  std::sort(splits.begin(), splits.end(), [](const Part* a, const Part* b) { return a->id < b->id; });
  return splits;
}

bool takes(const HostKit& kit, const Gpu& gpu, const PriceBook& prices) {
  const auto& architectures = kit.architectures;
  return kit.card_form == gpu.form && prices.find(kit.board) &&
         (architectures.empty() ||
          std::find(architectures.begin(), architectures.end(), gpu.architecture) != architectures.end());
}

std::deque<NetworkChoice> networks_of(const Catalog& catalog, const PriceBook& prices, int most_machines) {
  std::deque<NetworkChoice> networks;
  for (int machines = 2; machines <= most_machines; ++machines)
    for (const double rate : {1, 10, 25, 100}) {
      NetworkChoice choice{.machines = machines, .rate = rate * Gbit_per_s};
      choice.nic = cheapest_part(catalog, prices, [&](const Part& part) {
        const auto* nic = std::get_if<Nic>(&part.what);
        return nic && nic->pcie && nic->rate >= choice.rate && nic->rate < 2.5 * nic->ports * choice.rate;
      });
      if (machines > 2)
        choice.network_switch = cheapest_part(catalog, prices, [&](const Part& part) {
          const auto* network_switch = std::get_if<NetworkSwitch>(&part.what);
          return network_switch && network_switch->port_rate >= choice.rate && network_switch->ports >= machines;
        });
      if (choice.nic && (machines == 2 || choice.network_switch)) networks.push_back(choice);
    }
  return networks;
}

std::vector<const Part*> bridges_for(const Catalog& catalog, const PriceBook& prices, const Gpu& gpu) {
  std::vector<const Part*> bridges;
  if (!gpu.peer_ports || gpu.form != CardForm::pcie) return bridges;
  for (const auto& part : catalog.parts.entries) {
    const auto* bridge = std::get_if<BridgePart>(&part.what);
    if (bridge && prices.find(part.id) && std::find(bridge->fits.begin(), bridge->fits.end(), gpu.id) != bridge->fits.end())
      bridges.push_back(&part);
  }
  std::sort(bridges.begin(), bridges.end(), [](const Part* a, const Part* b) { return a->id < b->id; });
  return bridges;
}

/// A host and a way to attach cards to it, with what it can hold.
struct Seat {
  const HostKit* kit = nullptr;
  const Part* split = nullptr;
  std::uint32_t host = 0;   ///< where the kit stands in Space::hosts
  int least = 1, most = 0;  ///< numbers of cards for which plug() finds room
};

template <class T>
std::vector<const T*> by_id(const Shelf<T>& shelf) {
  std::vector<const T*> sorted;
  for (const auto& entry : shelf.entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const T* a, const T* b) { return a->id < b->id; });
  return sorted;
}

/// For every kit and division the numbers of cards that it makes sense for.
std::vector<Seat> seats(const Catalog& catalog, const std::vector<const HostKit*>& kits, const std::vector<const Part*>& splits) {
  std::vector<Seat> all;
  for (std::uint32_t host = 0; host < kits.size(); ++host) {
    const auto* kit = kits[host];
    const auto* board = catalog.boards.find(kit->board);
    if (!board) continue;
    const int enclosed = kit->max_cards > 0 ? kit->max_cards : card_counts(0).back();
    if (board->slots.empty()) {
      all.push_back({kit, nullptr, host, 1, enclosed});
      continue;
    }
    const auto slots = card_slots(*board);
    const int straight = static_cast<int>(slots.size());
    all.push_back({kit, nullptr, host, 1, std::min(straight, enclosed)});
    for (const auto* split : splits) {
      const auto& adapter = std::get<Bifurcator>(split->what);
      int room = straight;
      for (const auto* slot : slots)
        if (offers(*slot, adapter)) room += static_cast<int>(adapter.ports.size()) - 1;
      all.push_back({kit, split, host, straight + 1, std::min(room, enclosed)});
    }
  }
  std::erase_if(all, [](const Seat& seat) { return seat.most < seat.least; });
  return all;
}

}  // namespace

std::vector<int> card_counts(int most) {
  std::vector<int> counts;
  for (const int count : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    if (most == 0 || count <= most) counts.push_back(count);
  return counts;
}

namespace {

/// Adds the builds of one kind of card.
class CardChoices {
 public:
  CardChoices(Space& space, const Gpu& gpu, std::vector<const Part*> bridges, int most_cards)
      : space_{space}, gpu_{gpu}, bridges_{std::move(bridges)}, most_cards_{most_cards} {}

  void add(const Seat& seat, int cards) {
    add(seat, cards, nullptr);
    for (const auto& network : space_.networks)
      if (network.machines * cards <= most_cards_) add(seat, cards, &network);
  }

 private:
  void add(const Seat& seat, int cards, const NetworkChoice* network) {
    add(seat, cards, network, nullptr);
    for (const auto* bridge : bridges_)
      if (!seat.split && cards >= std::get<BridgePart>(bridge->what).cards) add(seat, cards, network, bridge);
  }
  void add(const Seat& seat, int cards, const NetworkChoice* network, const Part* bridge) {
    const int machines = network ? network->machines : 1;
    const std::pair key{machines * cards, bridge != nullptr};
    const auto [group, is_new] = groups_.try_emplace(key, static_cast<std::uint32_t>(space_.groups.size()));
    if (is_new) space_.groups.push_back({&gpu_, key.first, key.second});
    space_.choices.push_back({&gpu_, seat.kit, seat.split, cards, machines, bridge, network, group->second, seat.host});
  }

  Space& space_;
  const Gpu& gpu_;
  std::vector<const Part*> bridges_;
  int most_cards_;
  std::map<std::pair<int, bool>, std::uint32_t> groups_;
};

}  // namespace

Space make_space(const Catalog& catalog, const PriceBook& prices, const Query& query) {
  Space space;
  space.hosts = by_id(catalog.hosts);
  space.networks = networks_of(catalog, prices, query.machines);
  const auto all = seats(catalog, space.hosts, split_parts(catalog, prices));
  const auto counts = card_counts(query.limits.max_cards);
  for (const auto* gpu : by_id(catalog.gpus)) {
    if (!asked_for(*gpu, query.gpu_patterns)) continue;
    if (!prices.find(gpu->id)) {
      space.cards_without_price.push_back(gpu->id);
      continue;
    }
    const auto before = space.choices.size();
    CardChoices choices{space, *gpu, bridges_for(catalog, prices, *gpu), counts.back()};
    for (const auto& seat : all) {
      if (!takes(*seat.kit, *gpu, prices)) continue;
      for (const int count : counts)
        if (count >= seat.least && count <= seat.most) choices.add(seat, count);
    }
    if (space.choices.size() == before) space.cards_without_host.push_back(gpu->id);
  }
  return space;
}

}  // namespace rigplan
