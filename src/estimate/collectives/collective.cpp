// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/collective.h"

#include <string>

#include "rigplan/estimate/collectives/group_links.h"

namespace rigplan {

std::optional<CollectiveOp> collective_from_text(std::string_view text) {
  const auto letters = [](std::string_view name) {
    std::string kept;
    for (const char c : name) {
      if (c != '-' && c != '_') kept += c;
    }
    return kept;
  };
  const auto wanted = letters(text);
  if (wanted == "sendrecv") return CollectiveOp::send_receive;
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    if (letters(collective_names[i]) == wanted) return static_cast<CollectiveOp>(i);
  }
  return std::nullopt;
}

double ring_share(CollectiveOp op, int n) {
  if (n < 2) return 0;
  const double all_but_one = static_cast<double>(n - 1) / n;
  switch (op) {
    case CollectiveOp::all_reduce:
      return 2 * all_but_one;
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::all_gather:
    case CollectiveOp::all_to_all:
      return all_but_one;
    default:
      return 1;
  }
}

int ring_steps(CollectiveOp op, int n) {
  if (n < 2) return 0;
  if (op == CollectiveOp::all_reduce) return 2 * (n - 1);
  return op == CollectiveOp::send_receive ? 1 : n - 1;
}

std::string_view to_text(LinkClass kind) {
  switch (kind) {
    case LinkClass::none:
      return "none";
    case LinkClass::nvswitch:
      return "nvswitch";
    case LinkClass::nvlink:
      return "nvlink";
    case LinkClass::xgmi:
      return "xgmi";
    case LinkClass::pcie_peer:
      return "pcie_peer";
    case LinkClass::pcie_staged:
      return "pcie_staged";
    case LinkClass::network_rdma:
      return "network_rdma";
    case LinkClass::network_tcp:
      return "network_tcp";
  }
  return "none";
}

}  // namespace rigplan
