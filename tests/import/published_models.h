// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What the published RCCL models hold, counted in their XML by another program: cards, ends of xGMI links (each link is listed
// at both of its cards), NICs.

namespace rigplan::test {

struct PublishedModel {
  const char* name;
  std::size_t cards, link_ends, nics;
};

inline constexpr PublishedModel published_models[] = {
    {"topo_16p1h", 16, 56, 8},        {"topo_16p1h_vm", 16, 56, 8},    {"topo_3p_pcie", 3, 0, 1},
    {"topo_3p_pcie_1", 3, 0, 1},      {"topo_4p1h", 4, 8, 1},          {"topo_4p1h_1", 4, 8, 2},
    {"topo_4p2h", 8, 16, 1},          {"topo_4p2h_1", 8, 16, 1},       {"topo_4p2h_2nic", 8, 16, 2},
    {"topo_4p3l", 4, 12, 2},          {"topo_4p3l_2h", 8, 24, 1},      {"topo_4p3l_ia", 8, 24, 1},
    {"topo_4p3l_n2", 8, 24, 1},       {"topo_4p3l_n2_1", 8, 24, 1},    {"topo_4p3l_n4", 8, 24, 1},
    {"topo_4p4h", 16, 48, 16},        {"topo_4p_940", 4, 12, 4},       {"topo_8p1h", 8, 24, 4},
    {"topo_8p1h_1", 8, 24, 4},        {"topo_8p1h_2", 8, 24, 2},       {"topo_8p1h_3", 8, 24, 4},
    {"topo_8p1h_4", 8, 24, 8},        {"topo_8p1h_5", 8, 24, 8},       {"topo_8p1h_n1", 8, 24, 4},
    {"topo_8p6l", 8, 48, 1},          {"topo_8p6l_1nic", 8, 48, 1},    {"topo_8p6l_2nic", 8, 48, 2},
    {"topo_8p6l_3nic", 8, 48, 3},     {"topo_8p6l_4nic", 8, 48, 4},    {"topo_8p6l_5nic", 8, 48, 5},
    {"topo_8p6l_6nic", 8, 48, 6},     {"topo_8p_4nics", 8, 24, 4},     {"topo_8p_90a", 8, 24, 1},
    {"topo_8p_90a_1", 8, 24, 1},      {"topo_8p_940", 8, 56, 8},       {"topo_8p_940vm", 8, 56, 8},
    {"topo_8p_pcie", 8, 0, 1},        {"topo_8p_pcie_1", 8, 0, 1},     {"topo_8p_pcie_2nic", 8, 0, 2},
    {"topo_8p_rome", 8, 16, 1},       {"topo_8p_rome_4n_1", 8, 24, 4}, {"topo_8p_rome_4n_2", 8, 24, 4},
    {"topo_8p_rome_4nics", 8, 24, 4}, {"topo_8p_rome_n2", 8, 16, 1},   {"topo_8p_rome_n2_1", 8, 16, 2},
    {"topo_8p_rome_n2_2", 8, 16, 1},  {"topo_8p_rome_n4", 8, 16, 1},   {"topo_8p_rome_n4_1", 8, 24, 1},
    {"topo_8p_rome_pcie", 8, 0, 1},   {"topo_8p_rome_vm1", 8, 24, 1},  {"topo_8p_ts1", 8, 16, 2},
    {"topo_8p_ts1_1", 8, 16, 2},      {"topo_8p_ts1_n4", 8, 16, 2},    {"topo_8p_ts1_n4_1", 8, 16, 2},
    {"topo_8p_ts1_n4_2", 8, 16, 2},   {"topo_collnet_n1", 8, 24, 1},   {"topo_collnet_n4", 8, 24, 4},
};

}  // namespace rigplan::test
