// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "rigplan/import/rent_list.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/topology/rig_json.h"

namespace rigplan {
namespace {

struct ImportOptions {
  std::string path, gpu;
  ImportedMachine (*read)(const std::string&, std::string_view) = nullptr;
  RentListOptions rent;
};

/// A price list becomes a catalog file of offers, for --catalog.
ExitCode import_rent(const ImportOptions& options, const Session& session) {
  const auto list = import_rent_list(options.path, read_file(options.path), session.catalog(), options.rent);
  const auto json = rent_catalog_json(list, options.path, options.rent);
  session.print(to_json_text(json) + "\n");
  for (const auto& question : list.questions) session.note(question);
  if (list.without_gpu > 0) session.note(std::to_string(list.without_gpu) + " rows without cards or price were left out");
  return ExitCode::done;
}

ExitCode run_import(const ImportOptions& options, const Session& session) {
  if (options.read == nullptr) return import_rent(options, session);
  if (!options.gpu.empty() && session.catalog().gpus.find(options.gpu) == nullptr)
    throw UsageError{"--gpu: no card \"" + options.gpu + "\" in the catalog" +
                     did_you_mean(options.gpu, session.catalog().gpus.ids())};
  const auto imported = to_rig(options.read(options.path, read_file(options.path)), session.catalog(), options.gpu);
  session.print(to_json_text(to_json(imported.rig)) + "\n");
  for (const auto& question : imported.questions) session.note(question.subject + ": " + question.text);
  return ExitCode::done;
}

Run define_import(CLI::App& app) {
  struct Format {
    const char *name, *help;
    ImportedMachine (*read)(const std::string&, std::string_view);
  };
  constexpr Format formats[] = {
      {"nccl", "XML of NCCL_TOPO_DUMP_FILE, from NCCL or RCCL", import_nccl_xml},
      {"hwloc", "XML of lstopo --of xml", import_hwloc_xml},
      {"nvidia-smi-topo", "matrix of nvidia-smi topo -m", import_nvidia_smi_topo},
      {"rocm-smi-topo", "tables of rocm-smi --showtopo", import_rocm_smi_topo},
      {"lspci", "text of lspci -vvv", import_lspci},
  };
  const auto options = std::make_shared<ImportOptions>();
  app.require_subcommand(1);
  for (const auto& format : formats) {
    auto* sub = app.add_subcommand(format.name, format.help)->fallthrough();
    sub->add_option("file", options->path, "file to read; - reads standard input")->required()->type_name("FILE");
    sub->add_option("--gpu", options->gpu, "catalog id of the cards, where the file does not say")->type_name("ID");
    const auto read = format.read;
    sub->callback([options, read] { options->read = read; });
  }
  auto* rent = app.add_subcommand("rent", "Price list of rented cards: SkyPilot's vms.csv, gpuhunt's CSV or JSON")->fallthrough();
  rent->add_option("file", options->path, "file to read; - reads standard input")->required()->type_name("FILE");
  rent->add_option("--provider", options->rent.provider, "who asks these prices, where the list does not say")
      ->type_name("NAME")
      ->default_str("unknown");
  rent->add_option("--date", options->rent.date, "day of the list, such as 2026-11-30")->type_name("DATE");
  rent->add_option("--currency", options->rent.currency, "currency of the list")->type_name("CODE")->capture_default_str();
  return [options](const Session& session) { return run_import(*options, session); };
}

}  // namespace

const Command import_command{"import", "Make a rig file of what other tools print, with questions about the rest",
                             "rigplan import nccl examples/four-3090-x399.nccl.xml", define_import};

}  // namespace rigplan
