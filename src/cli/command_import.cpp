// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "rigplan/import/bench.h"
#include "rigplan/import/rent_list.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/topology/rig_json.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

using ReadMachine = ImportedMachine (*)(const std::string&, std::string_view);
using ReadRows = ImportedRows (*)(const std::string&, std::string_view, const Catalog&, const BenchFacts&);

struct ImportOptions {
  std::string path;
  BenchFacts facts;  ///< of machines only the card counts
  ReadMachine read = nullptr;
  ReadRows read_rows = nullptr;
  RentListOptions rent;
};

void note_questions(const std::vector<Question>& questions, const Session& session) {
  for (const auto& question : questions) session.note(question.subject + ": " + question.text);
}

/// A price list becomes a catalog file of offers, for --catalog.
ExitCode import_rent(const ImportOptions& options, const Session& session) {
  const auto list = import_rent_list(options.path, read_file(options.path), session.catalog(), options.rent);
  const auto json = rent_catalog_json(list, options.path, options.rent);
  session.print(to_json_text(json) + "\n");
  for (const auto& question : list.questions) session.note(question);
  if (list.without_gpu > 0) session.note(fmt::format("{} rows without cards or price were left out", list.without_gpu));
  return ExitCode::done;
}

ExitCode run_import(const ImportOptions& options, const Session& session) {
  if (options.read == nullptr && options.read_rows == nullptr) return import_rent(options, session);
  auto facts = options.facts;
  if (!facts.gpu.empty()) {
    const auto* gpu = session.catalog().gpus.find(facts.gpu);
    if (gpu == nullptr)
      throw UsageError{fmt::format("--gpu: no card \"{}\" in the catalog{}", facts.gpu,
                                   did_you_mean(facts.gpu, session.catalog().gpus.ids()))};
    facts.gpu = gpu->id;
  }
  if (options.read_rows != nullptr) {
    const auto imported = options.read_rows(options.path, read_file(options.path), session.catalog(), facts);
    session.print(to_csv(imported.rows));
    note_questions(imported.questions, session);
    return ExitCode::done;
  }
  const auto imported = to_rig(options.read(options.path, read_file(options.path)), session.catalog(), facts.gpu);
  session.print(to_json_text(to_json(imported.rig)) + "\n");
  note_questions(imported.questions, session);
  return ExitCode::done;
}

CLI::App* add_format_of(CLI::App& app, const std::string& name, const std::string& help,
                        const std::shared_ptr<ImportOptions>& options) {
  auto* sub = app.add_subcommand(name, help)->fallthrough();
  sub->add_option("file", options->path, msg("file to read; - reads standard input"))->required()->type_name("FILE");
  sub->add_option("--gpu", options->facts.gpu, msg("catalog id of the cards, where the file does not say"))->type_name("ID");
  return sub;
}

/// What the files of benchmarks do not say.
void add_bench_options(CLI::App& sub, BenchFacts& facts, bool collective) {
  sub.add_option("--count", facts.gpu_count, msg("number of cards"))->check(CLI::Range(1, 100000));
  sub.add_option("--link", facts.link, msg("how the cards are connected: \"PCIe 4.0 x16\", \"NVSwitch (NVLink4)\", ..."));
  sub.add_option("--p2p", facts.p2p, msg("whether peers reach each other over PCIe: on or off"))
      ->check(CLI::IsMember({"on", "off"}));
  sub.add_option("--engine", facts.engine, msg("library or program and its version"));
  sub.add_option("--source", facts.source, msg("where the file comes from; its name unless given"));
  if (collective) {
    sub.add_option("--nodes", facts.nodes, msg("number of machines"))->check(CLI::Range(1, 100000));
    sub.add_option("--op", facts.collective, msg("operation: all_reduce, all_gather, ..."));
    return;
  }
  sub.add_option("--model", facts.model, msg("model, where the file's name for it is not known"));
  sub.add_option("--quant", facts.quant, msg("number format of the weights"));
  sub.add_option("--parallel", facts.parallel, msg("how the model is divided: tp2, layer, ..."));
}

Run define_import(CLI::App& app) {
  struct MachineFormat {
    const char *name, *help;
    ReadMachine read;
  };
  constexpr MachineFormat machines[] = {
      {"nccl", "XML of NCCL_TOPO_DUMP_FILE, from NCCL or RCCL", import_nccl_xml},
      {"hwloc", msg("XML of lstopo --of xml"), import_hwloc_xml},
      {"nvidia-smi-topo", msg("matrix of nvidia-smi topo -m"), import_nvidia_smi_topo},
      {"rocm-smi-topo", msg("tables of rocm-smi --showtopo"), import_rocm_smi_topo},
      {"lspci", msg("text of lspci -vvv"), import_lspci},
  };
  struct BenchFormat {
    const char *name, *help;
    ReadRows read;
    bool collective;
  };
  constexpr BenchFormat benches[] = {
      {"llama-bench", msg("measured rows of llama-bench -o json or jsonl"), import_llama_bench, false},
      {"vllm-bench", msg("measured rows of vllm bench serve --save-result"), import_vllm_bench, false},
      {"nccl-tests", msg("measured rows of what nccl-tests or rccl-tests print"), import_nccl_tests, true},
  };
  const auto options = std::make_shared<ImportOptions>();
  app.require_subcommand(1);
  for (const auto& format : machines)
    add_format_of(app, format.name, format.help, options)->callback([options, read = format.read] { options->read = read; });
  for (const auto& format : benches) {
    auto* sub = add_format_of(app, format.name, format.help, options);
    add_bench_options(*sub, options->facts, format.collective);
    sub->callback([options, read = format.read] { options->read_rows = read; });
  }
  auto* rent =
      app.add_subcommand("rent", msg("Price list of rented cards: SkyPilot's vms.csv, gpuhunt's CSV or JSON"))->fallthrough();
  rent->add_option("file", options->path, msg("file to read; - reads standard input"))->required()->type_name("FILE");
  rent->add_option("--provider", options->rent.provider, msg("who asks these prices, where the list does not say"))
      ->type_name("NAME")
      ->default_str("unknown");
  rent->add_option("--date", options->rent.date, msg("day of the list, such as 2026-11-30"))->type_name("DATE");
  rent->add_option("--currency", options->rent.currency, msg("currency of the list"))->type_name("CODE")->capture_default_str();
  return [options](const Session& session) { return run_import(*options, session); };
}

}  // namespace

const Command import_command{"import",
                             msg("Make a rig file, or measured rows, of what other tools print, with questions about the rest"),
                             "rigplan import nccl examples/four-3090-x399.nccl.xml", define_import};

}  // namespace rigplan
