// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/warnings.h"

#include <algorithm>
#include <set>

#include "rigplan/search/plans.h"
#include "rigplan/search/software.h"
#include "rigplan/topology/warnings.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {
namespace {

using Codes = std::set<std::string, std::less<>>;

bool trains(const WarningFacts& facts) { return facts.query.job.kind != JobKind::inference; }
/// The plan moves as much data between cards as an all-reduce does.
bool needs_traffic(const WarningFacts& facts) {
  return facts.plan.tensor > 1 || facts.plan.expert > 1 || facts.plan.split == SplitMode::row ||
         (trains(facts) && facts.plan.replicas > 1 && facts.query.job.kind == JobKind::full_finetune);
}
bool joins_cards(const WarningFacts& facts) { return facts.plan.cards > 1 || (trains(facts) && facts.plan.replicas > 1); }

/// Every link of the cards' own slots.
template <class F>
void for_each_card(const WarningFacts& facts, F visit) {
  for (const auto& kind : facts.graph.kinds)
    for (const int device : kind.cards)
      visit(kind, kind.devices[static_cast<std::size_t>(device)], kind.upward[static_cast<std::size_t>(device)]);
}

void card_rules(const WarningFacts& facts, Codes& codes) {
  std::set<std::string, std::less<>> architectures;
  std::set<double> sizes;
  int open_cards_of_a_machine = 0;
  for (const auto& kind : facts.graph.kinds) {
    int open_cards = 0;
    for (const int device : kind.cards) {
      const auto* gpu = kind.devices[static_cast<std::size_t>(device)].gpu;
      if (!gpu) continue;
      codes.insert(gpu->warnings.begin(), gpu->warnings.end());
      if (gpu->disputed) codes.insert("W_CLAIM_CHECK");
      if (gpu->cooling == Cooling::passive && gpu->form == CardForm::pcie) codes.insert("W_PASSIVE_COOLING");
      if (gpu->power_eps > 0) codes.insert("W_EPS_CONNECTOR");
      if (gpu->cooling == Cooling::open && gpu->slot_width >= 2) ++open_cards;
      architectures.insert(gpu->architecture);
      sizes.insert(gpu->vram.in(byte));
    }
    open_cards_of_a_machine = std::max(open_cards_of_a_machine, open_cards);
    codes.insert(kind.board.warnings.begin(), kind.board.warnings.end());
  }
  if (open_cards_of_a_machine > 1) codes.insert("W_AIRFLOW_STACKED");
  if (architectures.size() > 1) codes.insert("W_MIXED_ARCH_DRIVER");
  if (sizes.size() > 1 && joins_cards(facts)) codes.insert("W_MIXED_VRAM");
}

void software_rules(const WarningFacts& facts, Codes& codes) {
  const auto& job = facts.query.job;
  const auto* mix = find_weight_mix(job.weight_format);
  for_each_card(facts, [&](const NodeGraph&, const Device& device, LinkId) {
    const auto* architecture = device.gpu ? facts.catalog.architectures.find(device.gpu->architecture) : nullptr;
    if (!architecture) return;
    // What a chip lacks is a doubt only where the job asks for it; the rules below decide that.
    for (const auto& code : architecture->warnings)
      if (code != "W_NO_BF16" && code != "W_NO_FP8" && code != "W_FP16_CRIPPLED") codes.insert(code);
    const bool wants_bf16 = trains(facts) ? job.precision == TrainingPrecision::bf16 : mix && mix->kind == FormatClass::bf16;
    if (wants_bf16 && !architecture->native_bf16) codes.insert("W_NO_BF16");
    const bool wants_fp8 = trains(facts) ? job.precision == TrainingPrecision::fp8 : mix && mix->kind == FormatClass::f8;
    if (wants_fp8 && !architecture->native_fp8) codes.insert("W_NO_FP8");
    const bool wants_fp16 = trains(facts) || (mix && mix->kind == FormatClass::f16);
    if (wants_fp16 && !architecture->fast_fp16) codes.insert("W_FP16_CRIPPLED");
    const auto verdict = software_verdict(facts.catalog, job, *device.gpu);
    if (verdict.statement) codes.insert(verdict.statement->warnings.begin(), verdict.statement->warnings.end());
    if (verdict.level == SupportLevel::unsupported) codes.insert("W_ENGINE_UNSUPPORTED");
    if (verdict.level == SupportLevel::unknown) codes.insert("W_ENGINE_UNKNOWN");
  });
}

/// Whether a doubt is about cards that write to each other, which only some plans do.
bool about_peers(std::string_view code) {
  constexpr std::string_view codes[] = {"W_NO_P2P",        "W_DRIVER_PATCH",  "W_P2P_FALSE_GRANT", "W_IOMMU_PT",
                                        "W_NVLINK_ABSENT", "W_UNEQUAL_WIDTH", "W_NUMA_CROSS"};
  return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

void link_rules(const WarningFacts& facts, Codes& codes) {
  for (const auto& warning : topology_warnings(facts.graph))
    if (needs_traffic(facts) || !about_peers(warning.code)) codes.insert(warning.code);
  std::set<int> widths, sockets;
  for_each_card(facts, [&](const NodeGraph& node, const Device& device, LinkId up) {
    sockets.insert(device.socket);
    if (up < 0) return;
    const auto& link = node.links[static_cast<std::size_t>(up)];
    widths.insert(link.pcie.lanes);
    if (link.pcie.lanes == 1 && joins_cards(facts)) codes.insert("W_LANES_X1");
    if (link.slot.lanes > 0 && link.slot_length > link.slot.lanes) codes.insert("W_SLOT_PHYSICAL_VS_ELECTRICAL");
    if (node.devices[static_cast<std::size_t>(link.to)].kind == DeviceKind::chipset ||
        node.devices[static_cast<std::size_t>(link.from)].kind == DeviceKind::chipset)
      codes.insert("W_CHIPSET_SLOT");
  });
  if (!needs_traffic(facts)) return;
  if (widths.size() > 1) codes.insert("W_UNEQUAL_WIDTH");
  if (sockets.size() > 1) codes.insert("W_NUMA_CROSS");
  if (facts.peer != PeerOverPcie::yes) codes.insert("W_NO_P2P");
  if (facts.graph.nodes() > 1) codes.insert("W_NET_BW");
  if (facts.plan.tensor > 8) codes.insert("W_PEER_LIMIT_8");
}

void switch_rules(const WarningFacts& facts, Codes& codes) {
  for (const auto& node : facts.graph.rig.nodes)
    for (const auto& adapter : node.adapters) {
      const auto* part = facts.catalog.parts.find(adapter.part);
      if (!part) continue;
      codes.insert(part->warnings.begin(), part->warnings.end());
      const auto* pcie_switch = std::get_if<PcieSwitch>(&part->what);
      if (!pcie_switch) continue;
      int down = 0;
      for (const int lanes : pcie_switch->ports) down += lanes;
      if (down > pcie_switch->upstream.lanes * pcie_switch->upstream_ports) codes.insert("W_SWITCH_UPLINK_OVERSUB");
    }
}

/// Cards of the fullest machine.
int cards_of_a_machine(const WarningFacts& facts) {
  std::size_t most = 0;
  for (const auto& kind : facts.graph.kinds) most = std::max(most, kind.cards.size());
  return static_cast<int>(most);
}

/// What dividing every layer over many cards costs, for one reader and for a queue.
void tensor_rules(const WarningFacts& facts, Codes& codes) {
  const auto& plan = facts.plan;
  const auto& job = facts.query.job;
  if (plan.tensor <= 1 || trains(facts)) return;
  bool over_pcie = true;
  Bytes memory;
  for_each_card(facts, [&](const NodeGraph&, const Device& device, LinkId) {
    if (!device.gpu) return;
    memory = memory == Bytes{} ? device.gpu->vram : std::min(memory, device.gpu->vram);
    over_pcie = over_pcie && device.gpu->form == CardForm::pcie;
  });
  for (const auto& node : facts.graph.rig.nodes) over_pcie = over_pcie && node.bridges.empty();
  // Half of the cards would hold the model and the windows of half of the users, with a tenth to spare: two copies can be had.
  if (job.users > 1 && facts.weights + 0.5 * facts.kv < 0.9 * (0.5 * plan.cards) * memory) codes.insert("W_TP_FOR_THROUGHPUT");
  // From here on an exchange passes more links than the share of work that another card takes is worth.
  if (over_pcie && plan.tensor >= 8) codes.insert("W_TP_SCALING");
  // Activations of a long prompt cross the slots at every layer, of a short one hardly.
  if (over_pcie && job.prompt >= Tokens{4096}) codes.insert("W_TP_PREFILL_PCIE");
}

void plan_rules(const WarningFacts& facts, Codes& codes) {
  const auto& plan = facts.plan;
  if (!trains(facts)) {
    if (plan.split == SplitMode::layer && plan.cards > 1 && facts.query.job.users <= plan.replicas)
      codes.insert("W_LAYER_SPLIT_NO_SPEEDUP");
    const auto* engine = facts.catalog.engines.find(facts.query.job.engine);
    const bool could_be_tensor =
        !engine || std::find(engine->splits.begin(), engine->splits.end(), "tensor") != engine->splits.end();
    if (could_be_tensor && facts.graph.cards() > 1 && !divides(facts.model, facts.graph.cards()))
      codes.insert("W_TP_DIVISIBILITY");
    if (facts.layer_rate && facts.tensor_rate && *facts.tensor_rate < *facts.layer_rate) codes.insert("W_TP_SLOWER_THAN_LAYER");
    if (facts.kv > facts.weights) codes.insert("W_KV_DOMINATES");
    // A first token after a full window that takes longer than this keeps a reader waiting.
    if (facts.full_prompt && *facts.full_prompt > 20 * second) codes.insert("W_PREFILL_SLOW");
    if (plan.split == SplitMode::layer && facts.graph.nodes() > 1 && plan.cards > 1) codes.insert("W_RPC_LATENCY");
  }
  if (plan.cards > cards_of_a_machine(facts)) codes.insert("W_NET_STABILITY");
  bool bridged = false;
  for (const auto& node : facts.graph.rig.nodes) bridged = bridged || !node.bridges.empty();
  if (bridged && plan.cards > 1 && !needs_traffic(facts)) codes.insert("W_NVLINK_UNUSED");
  for (const auto& group : facts.model.groups)
    if (std::holds_alternative<Recurrent>(group.attention)) codes.insert("W_RECURRENT_STATE");
}

void money_and_power_rules(const WarningFacts& facts, Codes& codes) {
  const auto& defaults = planning_defaults(facts.catalog);
  if (supply_margin(facts.power) < defaults.psu_margin - 1e-9) codes.insert("W_PSU_MARGIN");
  const auto* circuit = facts.catalog.circuits.find(defaults.circuit);
  if (circuit && facts.wall_peak > circuit->continuous) codes.insert("W_CIRCUIT_LIMIT");
  for (const auto& line : facts.purchase.lines)
    if (line.kind == BillKind::card) {
      if (line.stale) codes.insert("W_PRICE_STALE");
      if (line.each && !line.stated && line.basis >= PriceBasis::estimate) codes.insert("W_PRICE_ESTIMATE");
    }
}

}  // namespace

std::vector<std::string> warnings_of(const WarningFacts& facts) {
  Codes codes;
  card_rules(facts, codes);
  software_rules(facts, codes);
  link_rules(facts, codes);
  switch_rules(facts, codes);
  plan_rules(facts, codes);
  tensor_rules(facts, codes);
  money_and_power_rules(facts, codes);
  return {codes.begin(), codes.end()};
}

}  // namespace rigplan
