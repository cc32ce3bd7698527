// SPDX-License-Identifier: Apache-2.0
// Published topology files, where the folder beside the repository holds them.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "import/published_models.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/topology/graph.h"

using namespace rigplan;

namespace {

const std::filesystem::path folder = RIGPLAN_SOURCE_DIR "/../shared/topologies";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream{path, std::ios::binary};
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> xml_files(const std::string& name) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::exists(folder / name))
    for (const auto& entry : std::filesystem::directory_iterator{folder / name})
      if (entry.path().extension() == ".xml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

const Catalog& shipped() {
  static const auto catalog = read_catalog(built_in_catalog_files());
  return catalog;
}

/// Peer links of each card as the graph has them.
std::vector<int> links_per_card(const RigGraph& graph) {
  std::vector<int> links;
  for (const int card : graph.node(0).cards)
    links.push_back(static_cast<int>(graph.node(0).peer_out[static_cast<std::size_t>(card)].size()));
  return links;
}

struct Row {
  std::string file;
  std::size_t cards, peer_links, nics, questions;
};

Row import_one(const std::filesystem::path& path, ImportedMachine (*read)(const std::string&, std::string_view)) {
  const auto machine = read(path.filename().string(), text_of(path));
  const auto imported = to_rig(machine, shipped());
  Row row{path.filename().string(), imported.rig.nodes[0].cards.size(), 0, machine.indices_of(ImportedKind::nic).size(),
          imported.questions.size()};
  for (const auto& device : machine.devices) row.peer_links += device.peers.size();
  const bool known = std::none_of(imported.rig.nodes[0].cards.begin(), imported.rig.nodes[0].cards.end(),
                                  [](const CardPlace& card) { return card.gpu == "unknown"; });
  if (known) CHECK(build_graph(imported.rig, shipped()).cards() == static_cast<int>(row.cards));
  CHECK(row.cards == machine.indices_of(ImportedKind::gpu).size());
  return row;
}

void print(const std::vector<Row>& rows) {
  std::string text = fmt::format("{:<45} {:>5} {:>10} {:>4} {:>9}\n", "file", "cards", "peer links", "NICs", "questions");
  for (const auto& row : rows)
    text += fmt::format("{:<45} {:>5} {:>10} {:>4} {:>9}\n", row.file, row.cards, row.peer_links, row.nics, row.questions);
  std::cout << text;
}

}  // namespace

TEST_CASE("All published RCCL models become rigs", "[shared]") {
  const auto files = xml_files("rccl");
  if (files.empty()) return;
  CHECK(files.size() == std::size(test::published_models));
  std::vector<Row> rows;
  for (const auto& file : files) {
    INFO(file);
    rows.push_back(import_one(file, import_nccl_xml));
    const auto known = std::find_if(std::begin(test::published_models), std::end(test::published_models),
                                    [&](const test::PublishedModel& model) { return file.stem() == model.name; });
    REQUIRE(known != std::end(test::published_models));
    CHECK(rows.back().cards == known->cards);
    CHECK(rows.back().peer_links == known->link_ends);
    CHECK(rows.back().nics == known->nics);
  }
  print(rows);
}

TEST_CASE("Hives of gfx906 have two xGMI links a card, machines without bridges none", "[shared]") {
  if (!std::filesystem::exists(folder / "rccl")) return;
  for (const auto* name : {"topo_4p1h", "topo_4p1h_1", "topo_4p2h", "topo_8p_rome", "topo_8p_rome_n4", "topo_8p_ts1"}) {
    INFO(name);
    const auto imported = to_rig(import_nccl_xml(name, text_of(folder / "rccl" / (std::string{name} + ".xml"))), shipped());
    for (const int links : links_per_card(build_graph(imported.rig, shipped()))) CHECK(links == 2);
  }
  for (const auto* name : {"topo_8p_pcie", "topo_8p_rome_pcie"}) {
    const auto imported = to_rig(import_nccl_xml(name, text_of(folder / "rccl" / (std::string{name} + ".xml"))), shipped());
    for (const int links : links_per_card(build_graph(imported.rig, shipped()))) CHECK(links == 0);
  }
}

TEST_CASE("Cards of 16 GT/s behind bridges of 8 GT/s run at 8", "[shared]") {
  if (!std::filesystem::exists(folder / "rccl")) return;
  const auto imported = to_rig(import_nccl_xml("x", text_of(folder / "rccl/topo_4p1h.xml")), shipped());
  const auto graph = build_graph(imported.rig, shipped());
  const auto& node = graph.node(0);
  CHECK(node.links[static_cast<std::size_t>(node.upward[static_cast<std::size_t>(node.cards[0])])].pcie == PcieLink{3, 16});
}

TEST_CASE("All published hwloc files become machines", "[shared]") {
  const auto files = xml_files("hwloc");
  if (files.empty()) return;
  CHECK(files.size() == 8);
  std::vector<Row> rows;
  for (const auto& file : files) {
    INFO(file);
    rows.push_back(import_one(file, import_hwloc_xml));
    if (file.filename() == "nvidiaDGX2.xml") CHECK(rows.back().cards == 16);
    if (file.filename() == "power8gpudistances.xml") CHECK(rows.back().cards == 4);
    if (file.filename() == "nvidia-dgx-gb10.xml") CHECK(rows.back().cards == 0);
  }
  print(rows);
}

TEST_CASE("The published NCCL dump and graph file are read, and told apart", "[shared]") {
  const auto files = xml_files("nccl");
  if (files.empty()) return;
  std::vector<Row> rows;
  for (const auto& file : files) rows.push_back(import_one(file, import_nccl_xml));
  for (const auto& row : rows) CHECK(row.cards == 2);
  const auto graph = import_nccl_xml("graph", text_of(folder / "nccl/h200x2_graph.xml"));
  CHECK(std::any_of(graph.questions.begin(), graph.questions.end(),
                    [](const Question& question) { return question.text.find("graph file") != std::string::npos; }));
  print(rows);
}

TEST_CASE("Bytes that are something else are an error, and never a crash", "[shared]") {
  for (const auto read : {import_nccl_xml, import_hwloc_xml, import_nvidia_smi_topo, import_rocm_smi_topo, import_lspci})
    for (const std::string text : {"", "<", "<system", "<a/>", "GPU0 GPU1\n", "GPU0\nGPU0", "\0\1\2", "{}", "00:00.0 x\n"}) try {
        to_rig(read("x", text), shipped());
      } catch (const DataError&) {
      }
  // Every prefix of a good file is either a machine or an error.
  for (const auto& file : xml_files("nccl")) {
    const auto text = text_of(file);
    for (std::size_t n = 0; n < text.size(); n += 7)
      CHECK_NOTHROW([&] {
        try {
          to_rig(import_nccl_xml("x", text.substr(0, n)), shipped());
        } catch (const DataError&) {
        }
      }());
  }
}
