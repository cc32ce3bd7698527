// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "rigplan/topology/pcie.h"
#include "rigplan/units/message.h"
#include "rigplan/validate/collective_row.h"

namespace rigplan {
namespace {

/// What the patterns made of a row's texts, with the card behind it.
struct RowText {
  std::map<std::string, std::string, std::less<>> settings;
  const Gpu* gpu = nullptr;

  std::string text(std::string_view key) const {
    const auto found = settings.find(key);
    return found == settings.end() ? std::string{} : found->second;
  }
  bool has(std::string_view key) const { return settings.contains(key); }
  int number(std::string_view key, int fallback) const {
    const auto parsed = parse_integer(text(key), 0, 1'000'000);
    return std::holds_alternative<long long>(parsed) ? static_cast<int>(std::get<long long>(parsed)) : fallback;
  }
};

PcieLink slot_of(const RowText& row) {
  const auto card = row.gpu->pcie.value_or(PcieLink{4, 16});
  return {row.number("gen", card.generation), row.number("lanes", row.has("gen") ? 16 : card.lanes)};
}

/// Rate of the processor link, where cards on both sides take part; zero where no such link is on the way or known.
Bandwidth socket_rate(const RowText& row, bool by_default) {
  if (row.text("sockets") != "2" || row.text("cross") == "0" || !(by_default || row.text("cross") == "1")) return {};
  return row.number("socket_gb_s", 0) * GB_per_s;
}

/// What each card sends to all others when all do, when `groups` equal parts of the rig have a link of `rate` out.
Bandwidth exchange_rate(Bandwidth edge, int cards, int groups, Bandwidth rate) {
  const int inside = groups > 0 ? cards / groups : cards;
  if (inside < 1 || inside == cards || rate == Bandwidth{}) return edge;
  return std::min(edge, (cards - 1) * rate / static_cast<double>(inside * (cards - inside)));
}

void set_pcie(GroupLinks& links, const RowText& row, const std::string& peer_column, bool may_be_unknown) {
  const auto slot = slot_of(row);
  links.edge = pcie_bandwidth(slot);
  const bool stated = peer_column == "on" || peer_column == "off";
  const bool on = stated ? peer_column == "on"
                         : row.text("p2p") == "on" || (may_be_unknown && row.text("p2p").empty()) || row.has("peers_by_default");
  links.kind = on ? LinkClass::pcie_peer : LinkClass::pcie_staged;
  links.old_host = slot.generation <= 3;
  links.exchange = links.edge;
  links.bottleneck = to_text(slot);
  if (const auto socket = socket_rate(row, links.cards > 4); socket > Bandwidth{}) {
    links.edge_limit = socket;
    links.exchange = exchange_rate(links.edge, links.cards, 2, socket);
    links.bottleneck = "link between the processors";
  } else {
    links.exchange = exchange_rate(links.edge, links.cards, row.number("uplinks", 1), links.edge);
  }
}

void set_peer_ports(GroupLinks& links, const RowText& row, LinkClass kind) {
  const auto& ports = row.gpu->peer_ports;
  static constexpr double nvlink_gb_s[] = {0, 20, 25, 25, 25, 50};
  const int generation = row.number("nvgen", ports ? ports->generation : 0);
  int count = row.number("links", ports ? ports->links : 0);
  const int others = std::max(1, links.cards / links.nodes - 1);
  if (kind == LinkClass::xgmi) count = std::min(count, others);
  const bool printed = row.has("nvgen") && generation >= 1 && generation <= 5;
  links.kind = kind;
  const auto one = ports ? ports->per_link : (printed ? nvlink_gb_s[generation] : 25) * GB_per_s;
  links.edge = links.exchange = count * one;
  links.bottleneck = fmt::format("{} {} links", kind == LinkClass::xgmi ? "xGMI" : "NVLink", count);
}

void set_network(GroupLinks& links, const RowText& row, std::string& assumed) {
  if (links.nodes < 2 && !row.has("net")) return;
  int nics = row.number("nics", 0);
  int gbit = row.number("nicg", 0);
  if (nics == 0 || gbit == 0 || row.has("assumed")) assumed = "count or rate of the NICs is not stated";
  if (nics == 0) nics = links.cards / links.nodes;
  if (gbit == 0) gbit = 200;
  // NICs beyond one a card are only driven by the cards in use; assumed ones are counted so as well.
  if (row.has("assumed")) nics = std::min(nics, links.cards / std::max(links.nodes, 1));
  links.network = nics * gbit * Gbit_per_s;
  links.transport = row.has("transport") ? row.text("transport") : "rdma";
}

std::optional<GroupLinks> links_of(const Measurement& row, const RowText& text, std::string& assumed) {
  GroupLinks links;
  links.cards = row.gpu_count.value_or(text.number("cards", 2));
  links.nodes = std::max(1, row.nodes.value_or(1));
  links.architecture = text.gpu->architecture;
  auto kind = text.text("kind");
  if (kind == "nvbridge" && text.has("pairs") && links.cards > 2) kind = "pcie";
  if (kind == "pcie")
    set_pcie(links, text, row.p2p, row.kind == "p2p");
  else if (kind == "nvswitch")
    set_peer_ports(links, text, LinkClass::nvswitch);
  else if (kind == "nvbridge")
    set_peer_ports(links, text, LinkClass::nvlink);
  else if (kind == "xgmi")
    set_peer_ports(links, text, LinkClass::xgmi);
  else if (!text.has("net"))
    return std::nullopt;
  links.in_switch_reduction = kind == "nvswitch" && text.gpu->peer_ports && text.gpu->peer_ports->generation >= 4;
  set_network(links, text, assumed);
  return links;
}

MappedRow map_copy(const Measurement& row, const RowText& text, const GroupLinks& links) {
  CopyCase copy;
  copy.measured = row.value * GB_per_s;
  auto& link = copy.link;
  link.kind = links.kind == LinkClass::none ? LinkClass::network_rdma : links.kind;
  link.nominal = links.kind == LinkClass::none ? links.network : links.edge;
  if (links.edge_limit > Bandwidth{}) link.nominal = std::min(link.nominal, links.edge_limit);
  link.architecture = links.architecture;
  link.hops = text.number("hops", 1);
  link.old_host = links.old_host && text.text("attach") != "switch";
  link.virtual_machine = text.has("vm");
  const bool bi = row.collective.rfind("bi", 0) == 0;
  link.direction = bi                                 ? CopyDirection::both_ways
                   : text.text("direction") == "read" ? CopyDirection::read
                                                      : CopyDirection::one_way;
  link.host = text.text("to") == "host";
  link.to_card = row.collective.find("H2D") != std::string::npos;
  if (text.text("flows") == "all") {
    // Equal copies between all pairs end together, so the fullest link decides all rates.
    const int n = links.cards;
    link.all_at_once = true;
    link.nominal = n * std::min(links.edge, links.exchange);
    if (link.host) link.nominal = text.number("uplinks", 1) * links.edge, link.all_at_once = false;
  }
  if (row.link.find("sendrecv") != std::string::npos) link.kernel_copy = true;
  return copy;
}

}  // namespace

MappedRow map_collective_row(const Measurement& row, const Catalog& catalog, const LinkPatterns& patterns) {
  RowText text{patterns.read(row), catalog.gpus.find(row.gpu)};
  if (text.gpu == nullptr) return Skipped{msg("unknown card"), row.gpu};
  if (text.has("defect")) return Skipped{msg("known defect"), text.text("defect")};
  std::string assumed;
  const auto links = links_of(row, text, assumed);
  if (!links) return Skipped{msg("link not understood"), row.link};
  const auto system = row.gpu + " | " + row.source;
  if (row.kind == "p2p") {
    auto mapped = map_copy(row, text, *links);
    std::get<CopyCase>(mapped).system = system;
    return mapped;
  }
  CollectiveCase result;
  const auto op = collective_from_text(row.collective);
  if (!op) return Skipped{msg("unknown operation"), row.collective};
  result.links = *links;
  result.op = *op;
  result.stack = text.has("stack") ? text.text("stack") : "nccl_tests_printed";
  result.system = system;
  result.assumed = assumed;
  const auto method = text.text("method");
  if (method == "ring") result.forced = ForcedMethod::ring;
  if (method == "one_shot") result.forced = ForcedMethod::one_shot;
  if (method == "star") result.forced = ForcedMethod::star;
  // A peak bus bandwidth without a size is that of a large message.
  result.size = row.message_bytes.value_or(1073741824.0) * byte;
  if (text.has("gather_size") && *op == CollectiveOp::all_gather) result.size *= links->cards;
  if (row.metric == "time_us") {
    result.measured = row.value * us;
  } else if (row.metric == "busbw_gb_s") {
    result.measured = result.size * ring_share(*op, links->cards) / (row.value * GB_per_s);
    result.rate = true;
  } else {
    return Skipped{msg("unknown metric"), row.metric};
  }
  return result;
}

}  // namespace rigplan
