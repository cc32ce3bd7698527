// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/purchase.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "rigplan/economics/host_kit.h"
#include "rigplan/economics/supplies.h"
#include "rigplan/units/message.h"

namespace rigplan {

std::string_view to_text(BillKind kind) {
  static constexpr std::array<std::string_view, 14> names{
      msg("cards"),  msg("spare cards"), msg("board"),   msg("processor"), msg("memory"),  msg("power supply"), msg("attachment"),
      msg("bridge"), msg("network"),     msg("cooling"), msg("enclosure"), msg("storage"), msg("reserve"),      msg("other")};
  return names[static_cast<std::size_t>(kind)];
}

namespace {

struct KindOfPart {
  BillKind operator()(const Riser&) const { return BillKind::attachment; }
  BillKind operator()(const Bifurcator&) const { return BillKind::attachment; }
  BillKind operator()(const PcieSwitch&) const { return BillKind::attachment; }
  BillKind operator()(const BridgePart&) const { return BillKind::bridge; }
  BillKind operator()(const Nic&) const { return BillKind::network; }
  BillKind operator()(const NetworkSwitch&) const { return BillKind::network; }
  BillKind operator()(const Psu&) const { return BillKind::supply; }
  BillKind operator()(const OtherPart& part) const {
    if (part.kind == "memory") return BillKind::memory;
    if (part.kind == "storage") return BillKind::storage;
    if (part.kind == "case") return BillKind::enclosure;
    if (part.kind == "cooling") return BillKind::cooling;
    return BillKind::other;
  }
};

struct Named {
  BillKind kind = BillKind::other;
  std::string name;
};

/// What a catalog id stands for; an id that nobody knows keeps its own text as its name.
Named named(const Catalog& catalog, const std::string& item) {
  if (const auto* gpu = catalog.gpus.find(item)) return {BillKind::card, gpu->name};
  if (const auto* board = catalog.boards.find(item)) return {BillKind::board, board->name};
  if (const auto* cpu = catalog.cpus.find(item)) return {BillKind::processor, cpu->name};
  if (const auto* part = catalog.parts.find(item)) return {std::visit(KindOfPart{}, part->what), part->name};
  return {BillKind::other, item};
}

class Bill {
 public:
  explicit Bill(const BillContext& context) : context_{context} {}

  PurchaseLine& add(BillKind kind, const std::string& item, double count, bool assumed) {
    for (auto& line : lines)
      if (line.kind == kind && line.item == item && line.assumed == assumed) return line.count += count, line;
    PurchaseLine line{.kind = kind, .item = item, .name = named(context_.catalog, item).name, .count = count, .assumed = assumed};
    if (const auto* price = context_.prices.find(item)) {
      line.each = price->range;
      line.condition = price->condition;
      line.basis = price->basis;
      line.newest = price->newest;
      line.oldest = price->oldest;
      line.stale = price->stale;
    }
    return lines.emplace_back(std::move(line));
  }
  void add_named(const std::string& item, double count = 1) {
    if (!item.empty()) add(named(context_.catalog, item).kind, item, count, false);
  }
  void assume(BillKind kind, const std::string& item, double count) {
    if (!item.empty() && count > 0) add(kind, item, count, true);
  }
  void unknown(BillKind kind, std::string name, double count) {
    lines.push_back({.kind = kind, .name = std::move(name), .count = count, .assumed = true});
  }
  bool states(BillKind kind) const {
    return std::any_of(lines.begin(), lines.end(), [&](const PurchaseLine& line) { return line.kind == kind && !line.assumed; });
  }

  std::vector<PurchaseLine> lines;

 private:
  const BillContext& context_;
};

void add_plug(Bill& bill, const Plug& plug, int count) {
  for (const auto& riser : plug.via) bill.add_named(riser, count);
}

void add_named_parts(Bill& bill, const RigNode& node) {
  for (const auto& card : node.cards) {
    bill.add_named(card.gpu, node.count);
    add_plug(bill, card.plug, node.count);
  }
  bill.add_named(node.board, node.count);
  for (const auto& adapter : node.adapters) {
    bill.add_named(adapter.part, node.count);
    add_plug(bill, adapter.plug, node.count);
  }
  for (const auto& bridge : node.bridges) bill.add_named(bridge.part, node.count);
  for (const auto& nic : node.nics) bill.add_named(nic.part, node.count);
  for (const auto& psu : node.psus) bill.add_named(psu, node.count);
}

/// A price that the rig's owner states replaces the catalog's.
void add_stated_lines(Bill& bill, const BillContext& context, const Rig& rig) {
  for (const auto& stated : rig.bill) {
    const auto known =
        std::find_if(bill.lines.begin(), bill.lines.end(), [&](const PurchaseLine& line) { return line.item == stated.item; });
    auto& line =
        known != bill.lines.end() ? *known : bill.add(named(context.catalog, stated.item).kind, stated.item, stated.count, false);
    if (!stated.price) continue;
    line.each = Range<Yuan>::exactly(*stated.price);
    line.stated = true;
    line.stale = false;
    line.newest = line.oldest = "";
  }
}

void assume_memory(Bill& bill, const HostKit* kit, const RigNode& node) {
  if (!kit || kit->memory_count == 0) return bill.unknown(BillKind::memory, msg("memory"), node.count);
  int modules = kit->memory_count;
  if (node.memory) modules = static_cast<int>(std::ceil(*node.memory / (kit->memory_size / kit->memory_count) - 1e-9));
  bill.assume(BillKind::memory, kit->memory, modules * node.count);
}

void assume_host(Bill& bill, const BillContext& context, const RigNode& node, const Bill& stated) {
  const auto* kit = host_kit_of(context.catalog, node.board);
  const auto* board = context.catalog.boards.find(node.board);
  if (!stated.states(BillKind::processor) && !(board && board->includes_cpu)) {
    const std::string cpu = !node.cpu.empty() ? node.cpu : kit ? kit->cpu : "";
    const int sockets = board ? board->sockets : 1;
    if (cpu.empty())
      bill.unknown(BillKind::processor, msg("processor"), node.count);
    else
      bill.add(BillKind::processor, cpu, node.count * (kit ? kit->cpus : sockets), node.cpu.empty());
  }
  if (!stated.states(BillKind::memory)) assume_memory(bill, kit, node);
  if (!kit) return;
  if (!stated.states(BillKind::cooling)) bill.assume(BillKind::cooling, kit->cooler, node.count * kit->cpus);
  if (!stated.states(BillKind::storage)) bill.assume(BillKind::storage, kit->storage, node.count);
  if (!stated.states(BillKind::enclosure)) bill.assume(BillKind::enclosure, kit->enclosure, node.count);
}

void assume_supplies(Bill& bill, const BillContext& context, const RigNode& node) {
  const auto need = supply_need(context.catalog, node);
  if (const auto choice = choose_supplies(context.catalog, context.prices, need, context.defaults.psu_margin))
    bill.assume(BillKind::supply, choice->part->id, choice->count * node.count);
  else
    bill.unknown(BillKind::supply, msg("power supplies"), node.count);
}

void assume_fans(Bill& bill, const BillContext& context, const RigNode& node) {
  int passive = 0;
  for (const auto& card : node.cards) {
    const auto* gpu = context.catalog.gpus.find(card.gpu);
    if (gpu && gpu->cooling == Cooling::passive && gpu->form == CardForm::pcie) ++passive;
  }
  bill.assume(BillKind::cooling, context.defaults.passive_cooler, passive * node.count);
}

void assume_spares(Bill& bill, const BillContext& context) {
  std::vector<PurchaseLine> spares;
  for (const auto& line : bill.lines) {
    if (line.kind != BillKind::card || line.condition != Condition::used) continue;
    const double count = std::floor(line.count * context.defaults.spare_share + 1e-9);
    if (count < 1) continue;
    auto spare = line;
    spare.kind = BillKind::spare;
    spare.count = count;
    spare.assumed = true;
    spares.push_back(std::move(spare));
  }
  bill.lines.insert(bill.lines.end(), spares.begin(), spares.end());
}

/// Lifts supplies, cooling and cabling to at least `share` of the whole bill: r = (share x total - spent) / (1 - share).
void add_reserve(Bill& bill, double share) {
  Range<Yuan> total, spent;
  for (const auto& line : bill.lines) {
    const auto sum = line.total().value_or(Range<Yuan>{});
    total += sum;
    if (line.kind == BillKind::supply || line.kind == BillKind::cooling) spent += sum;
  }
  const auto missing = [&](Yuan all, Yuan of_it) { return std::max(Yuan{}, (share * all - of_it) / (1 - share)); };
  Range<Yuan> reserve{missing(total.low, spent.low), missing(total.likely, spent.likely), missing(total.high, spent.high)};
  if (reserve.high <= Yuan{}) return;
  reserve.likely = std::max(reserve.likely, reserve.low);
  reserve.high = std::max(reserve.high, reserve.likely);
  bill.lines.push_back(
      {.kind = BillKind::reserve, .name = msg("cables, fans and small parts"), .each = reserve, .assumed = true});
}

Purchase summed(std::vector<PurchaseLine> lines) {
  std::stable_sort(lines.begin(), lines.end(), [](const PurchaseLine& a, const PurchaseLine& b) { return a.kind < b.kind; });
  Purchase purchase;
  for (const auto& line : lines) {
    if (const auto sum = line.total())
      purchase.total += *sum;
    else
      ++purchase.unknown;
    if (line.stale) ++purchase.stale;
    if (!line.oldest.empty() && (purchase.oldest.empty() || line.oldest < purchase.oldest)) purchase.oldest = line.oldest;
    if (line.newest > purchase.newest) purchase.newest = line.newest;
  }
  purchase.lines = std::move(lines);
  return purchase;
}

}  // namespace

Purchase purchase_of(const BillContext& context, const Rig& rig) {
  Bill bill{context};
  for (const auto& node : rig.nodes) add_named_parts(bill, node);
  if (rig.network && !rig.network->network_switch.empty()) bill.add_named(rig.network->network_switch);
  add_stated_lines(bill, context, rig);
  const Bill stated = bill;
  for (const auto& node : rig.nodes) {
    assume_host(bill, context, node, stated);
    if (node.psus.empty() && !stated.states(BillKind::supply)) assume_supplies(bill, context, node);
    if (!stated.states(BillKind::cooling)) assume_fans(bill, context, node);
  }
  if (rig.machines() > 2 && !stated.states(BillKind::network))
    bill.unknown(BillKind::network, msg("network switch and cables"), 1);
  assume_spares(bill, context);
  add_reserve(bill, context.defaults.power_share);
  return summed(std::move(bill.lines));
}

Rig with_supplies(const BillContext& context, Rig rig) {
  for (auto& node : rig.nodes) {
    if (!node.psus.empty()) continue;
    const auto choice =
        choose_supplies(context.catalog, context.prices, supply_need(context.catalog, node), context.defaults.psu_margin);
    if (choice) node.psus.assign(static_cast<std::size_t>(choice->count), choice->part->id);
  }
  return rig;
}

}  // namespace rigplan
