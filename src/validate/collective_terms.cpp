// SPDX-License-Identifier: Apache-2.0
#include "validate/collective_terms.h"

#include <cmath>
#include <string>

namespace rigplan {

// Sources of the priors: step times and bases of NCCL and RCCL (src/graph/tuning.cc of each), packet arithmetic of PCIe,
// 64 GB/s raw and 48 GB/s payload of an xGMI 3 link, published copy rates. Where nothing is known the prior is wide.
std::span<const TermPrior> collective_terms() {
  static const std::vector<TermPrior> terms{
      {"link_efficiency",
       "",
       0.75,
       0.2,
       0.25,
       {{"link:nvswitch", 1}, {"link:nvlink", 0.85}, {"link:xgmi", 1}, {"link:pcie_peer", 1.1}, {"link:pcie_staged", 0.65}}},
      {"old_host_both_ways", "", 1, 0, 0.3, {{"link:pcie_staged|host:pcie3", 0.5}}},
      {"two_cards_both_ways",
       "",
       1,
       0,
       0.2,
       {{"link:nvswitch", 0.85}, {"link:nvlink", 1}, {"link:pcie_peer", 1}, {"link:pcie_staged", 1.3}}},
      {"two_cards_one_way",
       "",
       1,
       0,
       0.4,
       {{"link:nvswitch", 1}, {"link:nvlink", 1}, {"link:pcie_peer", 1}, {"link:pcie_staged", 1.6}}},
      {"node_ramp", "", 0.75, 0.1, 0.1, {{"link:nvswitch", 1}, {"link:nvlink", 1}, {"link:xgmi", 1}, {"pcie", 1.1}}},
      {"network_ramp", "", 0.6, 0.1, 0, {}},
      {"architecture_overhead",
       "",
       1,
       0,
       0.3,
       {{"nvlink", 1.3},
        {"nvlink|arch:sm_75", 1},
        {"nvlink|arch:sm_80", 1},
        {"nvlink|arch:sm_90", 0.8},
        {"nvlink|arch:sm_100", 1}}},
      {"stack_efficiency", "", 1, 0, 0.1, {{"stack:oneccl", 1}}},
      {"other_operations", "", 0.92, 0.1, 0.1, {{"link:pcie_staged", 1.2}}},
      {"hop_low_latency", "us", 1.1, 0.4, 0.4, {{"link:nvswitch", 0.7}, {"link:nvlink", 0.7}, {"link:xgmi", 0.8}, {"pcie", 1.4}}},
      {"hop_bulk", "us", 2.4, 0.3, 0.3, {{"link:nvswitch", 0.9}, {"link:nvlink", 0.9}, {"link:xgmi", 1}, {"pcie", 1}}},
      {"architecture_latency",
       "",
       1,
       0,
       0.3,
       {{"nvlink", 1.4},
        {"nvlink|arch:sm_75", 1},
        {"nvlink|arch:sm_80", 1},
        {"nvlink|arch:sm_90", 0.8},
        {"nvlink|arch:sm_100", 1}}},
      {"low_latency_share", "", 0.47, 0.1, 0.1, {}},
      {"bulk_start", "us", 2.6, 0.4, 0.2, {}},
      {"exchange_steps", "", 2, 0.4, 0.2, {}},
      {"in_switch_latency", "us", 20, 0.3, 0.2, {}},
      {"in_switch_efficiency", "", 0.85, 0.1, 0.1, {{"arch:sm_90", 1}, {"arch:sm_100", 0.95}}},
      {"network_hop",
       "us",
       25,
       0.4,
       0.5,
       {{"transport:rdma", 0.8}, {"transport:efa", 2}, {"transport:efa2", 1.2}, {"transport:tcpx", 2}, {"transport:tcp", 3}}},
      {"network_efficiency",
       "",
       0.88,
       0.1,
       0.15,
       {{"transport:rdma", 1}, {"transport:efa", 1}, {"transport:efa2", 1}, {"transport:tcpx", 1}, {"transport:tcp", 0.8}}},
      {"network_low_latency_share", "", 0.05, 0.4, 0.2, {}},
      {"network_bulk_latency", "", 1.8, 0.2, 0.2, {}},
      {"stack_overhead",
       "us",
       9,
       0.3,
       0.4,
       {{"stack:nccl_tests", 0.6},
        {"stack:nccl_torch_graph", 1.3},
        {"stack:nccl_eager", 2.6},
        {"stack:nccl_tests_printed", 1},
        {"stack:rccl", 1.2},
        {"stack:oneccl", 1},
        {"stack:profiler", 1.5},
        {"stack:profiler_send", 0.6},
        {"stack:gloo", 4}}},
      {"stack_floor", "us", 1, 0, 1, {{"stack:nccl_eager", 35}, {"stack:profiler", 35}, {"stack:gloo", 40}}},
      {"push_start", "us", 6, 0.3, 0.2, {}},
      {"push_efficiency", "", 0.55, 0.2, 0.2, {}},
      {"copy_start", "us", 15, 0.5, 0.2, {}},
      {"copy_efficiency",
       "",
       0.9,
       0.1,
       0.2,
       {{"link:nvswitch", 1},
        {"link:nvlink", 1},
        {"link:xgmi", 0.84},
        {"link:pcie_peer", 1.06},
        {"link:pcie_staged", 0.75},
        {"link:host", 1.08},
        {"link:host|to:card", 0.94},
        {"link:network_rdma", 0.9},
        {"link:pcie_peer|host:pcie3", 0.6},
        {"link:pcie_staged|host:pcie3", 0.8}}},
      {"copy_both_ways",
       "",
       1.85,
       0.1,
       0.15,
       {{"link:nvswitch", 1},
        {"link:nvlink", 1},
        {"link:xgmi", 1},
        {"link:pcie_peer", 1},
        {"link:pcie_staged", 0.6},
        {"link:host", 1}}},
      {"copy_read", "", 0.6, 0.5, 0.6, {{"arch:gfx906", 0.3}}},
      {"copy_virtual_machine", "", 0.75, 0.15, 0.1, {}},
      {"copy_all_at_once", "", 0.7, 0.2, 0.1, {}},
      {"copy_by_kernel", "", 0.8, 0.1, 0.1, {}},
      {"copy_hop", "", 0.85, 0.1, 0.1, {}},
  };
  return terms;
}

Calibration prior_collectives() {
  Calibration calibration;
  calibration.family = "collectives";
  for (const auto& prior : collective_terms()) {
    FittedTerm term;
    term.name = std::string{prior.name};
    term.unit = std::string{prior.unit};
    term.log_mean = std::log(prior.value);
    term.log_spread = prior.level_spread;
    for (const auto& level : prior.levels) term.offsets.emplace(std::string{level.name}, std::log(level.offset));
    calibration.terms.emplace(term.name, std::move(term));
  }
  return calibration;
}

}  // namespace rigplan
