// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/topology/paths.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

TEST_CASE("The matrix of nvidia-smi gives bridges, switches and sockets") {
  const auto machine = import_nvidia_smi_topo("topo.txt",
                                              "        GPU0 GPU1 GPU2 GPU3 CPU-aff  NUMA\n"
                                              "GPU0     X   NV4  SYS  SYS  0-31     0\n"
                                              "GPU1    NV4   X   SYS  SYS  0-31     0\n"
                                              "GPU2    SYS  SYS   X   PIX  32-63    1\n"
                                              "GPU3    SYS  SYS  PIX   X   32-63    1\n\nLegend:\n");
  REQUIRE(machine.devices.size() == 4);
  CHECK(machine.domains.size() == 2);
  const auto catalog = small_catalog();
  const auto imported = to_rig(machine, catalog, "pair");
  const auto graph = build_graph(imported.rig, catalog);
  CHECK(route(graph, 0, 1, PeerAssumption::unknown_is_no).kind == RouteKind::nvlink);
  CHECK(graph.node(0).board.switches.size() == 1);
  CHECK(graph.node(0).devices[static_cast<std::size_t>(graph.node(0).cards[2])].socket == 1);
  // Cards and links are open, so they are asked for.
  CHECK(to_rig(machine, catalog).questions.size() > imported.questions.size());
  CHECK(to_rig(machine, catalog).rig.nodes[0].cards[0].gpu == "unknown");
}

TEST_CASE("The tables of rocm-smi give xGMI pairs") {
  const auto text =
      "Weight between two GPUs\n       GPU0 GPU1\nGPU0   0    15\nGPU1   15   0\n"
      "Hops between two GPUs\n       GPU0 GPU1\nGPU0   0    1\nGPU1   1    0\n"
      "Link Type between two GPUs\n       GPU0 GPU1\nGPU0   0    XGMI\nGPU1   XGMI 0\n";
  const auto catalog = small_catalog();
  const auto imported = to_rig(import_rocm_smi_topo("topo.txt", text), catalog, "ring");
  const auto graph = build_graph(imported.rig, catalog);
  CHECK(route(graph, 0, 1, PeerAssumption::unknown_is_no).kind == RouteKind::xgmi);
}

TEST_CASE("A matrix with a row too few is an error") {
  CHECK_THROWS_AS(import_nvidia_smi_topo("t", "     GPU0 GPU1\nGPU0  X  PHB\n"), DataError);
  CHECK_THROWS_AS(import_nvidia_smi_topo("t", "nothing of the kind"), DataError);
  CHECK_THROWS_AS(import_rocm_smi_topo("t", "Weight between two GPUs\n"), DataError);
}
