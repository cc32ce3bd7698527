// SPDX-License-Identifier: Apache-2.0
#include "cli/rig_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "cli/rig_file.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"

namespace rigplan {

void add_rig_options(CLI::App& app, RigOptions& options) {
  const auto group = msg("Rig");
  app.add_option("RIG", options.rig, msg("Rig file; - reads standard input"))->group(group);
  app.add_option("--gpu", options.gpu, msg("Card, in place of a rig file"))->group(group);
  app.add_option("--count", options.count, msg("Number of cards"))->check(CLI::Range(1, 4096))->group(group);
  app.add_option("--board", options.board, msg("Board; the first one that takes the cards unless given"))->group(group);
}

Rig rig_from(const RigOptions& options, const Session& session) {
  const auto& catalog = session.catalog();
  if (!options.rig.empty()) {
    if (!options.gpu.empty()) throw UsageError{msg("give either a rig file or --gpu, not both")};
    return read_rig_file(session, options.rig);
  }
  if (options.gpu.empty()) throw UsageError{msg("give a rig file, or --gpu with --count and --board; --help has an example")};
  const auto* gpu = catalog.gpus.find(options.gpu);
  if (!gpu) throw UsageError{fmt::format("--gpu: no card \"{}\"{}", options.gpu, did_you_mean(options.gpu, catalog.gpus.ids()))};
  const auto* board = options.board.empty() ? nullptr : catalog.boards.find(options.board);
  if (!options.board.empty() && !board)
    throw UsageError{fmt::format("--board: no board \"{}\"{}", options.board, did_you_mean(options.board, catalog.boards.ids()))};
  return rig_of(catalog, gpu->id, options.count, board ? board->id : "");
}

}  // namespace rigplan
