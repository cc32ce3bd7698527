// SPDX-License-Identifier: Apache-2.0
#include "fuzz/readers.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "rigplan/catalog/calibration.h"
#include "rigplan/import/bench.h"
#include "rigplan/import/gguf.h"
#include "rigplan/import/hf_config.h"
#include "rigplan/import/rent_list.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/json/cursor.h"
#include "rigplan/report/difference.h"
#include "rigplan/report/policy.h"
#include "rigplan/search/sweep_space.h"
#include "rigplan/topology/graph.h"
#include "rigplan/topology/rig_json.h"
#include "rigplan/units/format.h"
#include "rigplan/units/parse.h"
#include "rigplan/validate/claim.h"
#include "rigplan/validate/claim_sum.h"
#include "rigplan/validate/measurement.h"
#include "rigplan/workload/model_library.h"

namespace rigplan::fuzz {
namespace {

const Catalog& facts() {
  static const auto catalog = read_catalog(built_in_catalog_files());
  return catalog;
}

/// What must hold of every input, whatever it says.
void require(bool holds) {
  if (!holds) std::abort();
}

JsonFile json(std::string_view bytes, JsonComments comments = JsonComments::refused) {
  return JsonFile::parse("f", std::string{bytes}, comments);
}

void catalog(std::string_view bytes) {
  const CatalogFile file[] = {{"f", std::string{bytes}}};
  read_catalog(file);
}

void overrides(std::string_view bytes) {
  const auto equals = bytes.find('=');
  const Override change[] = {{std::string{bytes.substr(0, equals)},
                              equals == std::string_view::npos ? std::string{} : std::string{bytes.substr(equals + 1)}}};
  static const CatalogFile few[] = {
      {"few.json", R"({"schema": "rigplan/gpus/1", "gpus": [{"id": "card", "name": "Card", "vram": {"value": "16 GiB"}}]})"}};
  read_catalog(few, change);
}

void models(std::string_view bytes) {
  std::vector<TransformerModel> read;
  read_models(json(bytes), read);
}

void calibration(std::string_view bytes) {
  const auto file = json(bytes);
  const auto once = read_calibration(Cursor{file});
  const auto text = to_json_text(calibration_to_json(once));
  const auto again = json(text);
  require(to_json_text(calibration_to_json(read_calibration(Cursor{again}))) == text);
}

/// Few machines, so that a count of a million does not take all the time. A rig that is written reads back to the same rig.
void rig(std::string_view bytes) {
  const auto file = json(bytes, JsonComments::allowed);
  const auto read = read_rig(Cursor{file}, facts());
  const auto text = to_json_text(to_json(read));
  const auto again = json(text);
  require(to_json_text(to_json(read_rig(Cursor{again}, facts()))) == text);
  long long cards = 0;
  for (const auto& node : read.nodes) cards += node.count * static_cast<long long>(node.cards.size());
  if (cards <= 16 && read.nodes.size() <= 4) build_graph(read, facts());
}

/// The values of one axis of a sweep, on the command line and in a sweep file.
void axis(std::string_view bytes) {
  const auto read = parse_axis(bytes, [](std::string_view field) { return field == "context"; });
  if (const auto* found = std::get_if<SweepAxis>(&read))
    for (const auto& values : found->values) values.text(values.size() - 1);
}

void claim(std::string_view bytes) { read_claim(json(bytes, JsonComments::allowed)); }

void sum(std::string_view bytes) {
  static ModelLibrary library;
  compute_sum(bytes, facts(), library);
}

void measurements(std::string_view bytes) {
  const auto rows = read_measurements("f", bytes);
  const auto text = to_csv(rows);
  require(to_csv(read_measurements("f", text)) == text);
}

void hf_config(std::string_view bytes) { read_hf_config(json(bytes)); }

void gguf(std::string_view bytes) {
  const auto read = read_gguf_head("f-00001-of-00001.gguf", bytes, bytes.size());
  if (const auto* head = std::get_if<GgufFile>(&read)) gguf_model(*head);
}

template <auto import>
void machine(std::string_view bytes) {
  const auto imported = to_rig(import("f", bytes), facts());
  const auto text = to_json_text(to_json(imported.rig));
  const auto again = json(text);
  require(to_json_text(to_json(read_rig(Cursor{again}, facts()))) == text);
}

template <auto import>
void bench(std::string_view bytes) {
  const auto text = to_csv(import("f", bytes, facts(), BenchFacts{}).rows);
  require(to_csv(read_measurements("f", text)) == text);
}

void rent_list(std::string_view bytes) {
  const RentListOptions options;
  to_json_text(rent_catalog_json(import_rent_list("f", bytes, facts(), options), "f", options));
}

template <class Q>
void quantity(std::string_view text) {
  const auto read = parse_quantity<Q>(text);
  if (const auto* value = std::get_if<Q>(&read)) require(!to_text(*value).empty() && *value >= Q{});
}

void units(std::string_view bytes) {
  quantity<Bytes>(bytes);
  quantity<Bandwidth>(bytes);
  quantity<FlopRate>(bytes);
  quantity<Seconds>(bytes);
  quantity<Watts>(bytes);
  quantity<Joules>(bytes);
  quantity<Yuan>(bytes);
  quantity<YuanPerJoule>(bytes);
  quantity<YuanPerSecond>(bytes);
  quantity<TokenRate>(bytes);
  quantity<Tokens>(bytes);
  parse_number(bytes);
  parse_integer(bytes, -1000, 1'000'000);
}

void policy(std::string_view bytes) {
  static const auto answer = json(
      R"({"schema": "rigplan/rank/1", "rows": [{"id": "a", "fits": true, "price_yuan": {"low": 1, "likely": 2, "high": 3},
          "warnings": ["W_NO_P2P"], "limit": null}, {"id": "b", "fits": false, "price_yuan": null, "warnings": []}]})");
  const auto result = result_of(answer.root());
  matches_of(parse_rule(bytes), result, &result);
}

/// An earlier answer, as diff and check read it. Nothing differs from itself.
void answer(std::string_view bytes) {
  const auto file = json(bytes, JsonComments::allowed);
  const auto result = result_of(file.root());
  require(difference_of(result, result).empty());
  facts_around(result);
}

/// The errors that main() knows to tell people; all others are faults of the program.
template <void (*read)(std::string_view)>
void tell(std::string_view bytes) {
  try {
    read(bytes);
  } catch (const DataError& error) {
    require(error.place().file == "f" || error.place().file.starts_with("few") || error.place().file.starts_with("f-") ||
            error.place().file.starts_with("--set"));
    require(!error.message().empty());
  } catch (const RuleError&) {
  } catch (const SumError&) {
  }
}

}  // namespace

std::span<const Reader> readers() {
  static const Reader all[] = {
      {"catalog",
       tell<catalog>,
       {"data/gpus", "data/boards", "data/parts", "data/cpus", "data/power", "data/prices", "data/rent", "data/hosts",
        "data/architectures.json", "data/engines.json", "data/planning.json", "data/socket_links.json", "data/support.json",
        "tests/data/bad", "tests/data/overlay"}},
      {"override", tell<overrides>, {"tests/fuzz/seeds/override.lines"}},
      {"models", tell<models>, {"data/models"}},
      {"calibration", tell<calibration>, {"data/calibration"}},
      {"rig", tell<rig>, {"examples", "tests/data/rigs"}},
      {"axis", tell<axis>, {"tests/fuzz/seeds/axis.lines"}},
      {"claim", tell<claim>, {"examples/claims"}},
      {"sum", tell<sum>, {"tests/fuzz/seeds/sum.lines"}},
      {"measurements", tell<measurements>, {"data/measurements"}},
      {"hf_config", tell<hf_config>, {"tests/fuzz/seeds/hf_config"}},
      {"gguf", tell<gguf>, {}},
      {"nccl_xml", tell<machine<import_nccl_xml>>, {"examples/four-3090-x399.nccl.xml", "tests/fuzz/seeds/nccl_xml"}},
      {"hwloc_xml", tell<machine<import_hwloc_xml>>, {"tests/fuzz/seeds/hwloc_xml"}},
      {"nvidia_smi_topo", tell<machine<import_nvidia_smi_topo>>, {"tests/fuzz/seeds/nvidia_smi_topo"}},
      {"rocm_smi_topo", tell<machine<import_rocm_smi_topo>>, {"tests/fuzz/seeds/rocm_smi_topo"}},
      {"lspci", tell<machine<import_lspci>>, {"tests/fuzz/seeds/lspci"}},
      {"llama_bench", tell<bench<import_llama_bench>>, {"tests/data/bench"}},
      {"vllm_bench", tell<bench<import_vllm_bench>>, {"tests/data/bench"}},
      {"nccl_tests", tell<bench<import_nccl_tests>>, {"tests/data/bench"}},
      {"rent_list", tell<rent_list>, {"examples/rent-list.csv", "tests/fuzz/seeds/rent_list"}},
      {"units", tell<units>, {"tests/fuzz/seeds/units.lines"}},
      {"policy", tell<policy>, {"tests/fuzz/seeds/policy.lines"}},
      {"answer", tell<answer>, {"tests/data/answers"}},
  };
  return all;
}

const Reader* find_reader(std::string_view name) {
  const auto all = readers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& reader) { return reader.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace rigplan::fuzz
