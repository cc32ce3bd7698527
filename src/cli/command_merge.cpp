// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/sweep_merge.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::string out = "-";
};

Run define_merge(CLI::App& app) {
  const auto options = std::make_shared<MergeOptions>();
  app.add_option("FILE", options->files, msg("Outputs of rigplan sweep --shard, in any order"))->required()->type_name("FILE...");
  app.add_option("--out,-o", options->out, msg("Where the whole goes; a database needs it"))->type_name("FILE");
  return [options](const Session&) {
    merge_sweeps(options->files, options->out);
    return ExitCode::done;
  };
}

}  // namespace

const Command merge_command{"merge", msg("Put the shards of a sweep together: the bytes of a single run"),
                            "rigplan merge part1.jsonl part2.jsonl --out whole.jsonl", define_merge};

}  // namespace rigplan
