// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/topology/rig_json.h"

namespace rigplan {
namespace {

struct ImportOptions {
  std::string path, gpu;
  ImportedMachine (*read)(const std::string&, std::string_view) = nullptr;
};

ExitCode run_import(const ImportOptions& options, const Session& session) {
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
  return [options](const Session& session) { return run_import(*options, session); };
}

}  // namespace

const Command import_command{"import", "Make a rig file of what other tools print, with questions about the rest",
                             "rigplan import nccl examples/four-3090-x399.nccl.xml", define_import};

}  // namespace rigplan
