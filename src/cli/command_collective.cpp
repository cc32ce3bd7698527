// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/rig_file.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/collective.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct CollectiveOptions {
  std::string rig;
  CollectiveOp op = CollectiveOp::all_reduce;
  Bytes least = KiB, most = GiB;
  std::string stack;
  OutputFormat format = OutputFormat::table;
};

Bytes size_of(const std::string& text) {
  const auto parsed = parse_quantity<Bytes>(text);
  if (const auto* error = std::get_if<UnitError>(&parsed)) throw CLI::ValidationError{"--bytes", error->message};
  if (std::get<Bytes>(parsed) < byte) throw CLI::ValidationError{"--bytes", msg("a message has at least one byte")};
  return std::get<Bytes>(parsed);
}

void read_sizes(const std::string& text, CollectiveOptions& options) {
  const auto dots = text.find("..");
  options.least = size_of(text.substr(0, dots));
  options.most = dots == std::string::npos ? options.least : size_of(text.substr(dots + 2));
  if (options.most < options.least) throw CLI::ValidationError{"--bytes", msg("the second size is smaller than the first")};
}

void read_op(const std::string& text, CollectiveOptions& options) {
  if (const auto op = collective_from_text(text)) {
    options.op = *op;
    return;
  }
  std::vector<std::string> names(collective_names.begin(), collective_names.end());
  throw CLI::ValidationError{"--op", fmt::format("\"{}\" is no operation{}; expected one of {}", text, did_you_mean(text, names),
                                                 fmt::join(names, ", "))};
}

/// A stack that was measured, or one with a prior only, which is said.
void check_stack(const std::string& stack, const Calibration& calibration, const Session& session) {
  if (stack.empty() || calibration.known.contains("stack:" + stack)) return;
  std::vector<std::string> names;
  bool has_prior = false;
  for (const auto& [level, offset] : calibration.terms.at("stack_overhead").offsets) {
    if (!level.starts_with("stack:")) continue;
    names.push_back(level.substr(6));
    has_prior |= names.back() == stack;
  }
  if (!has_prior)
    throw UsageError{
        fmt::format("--stack: no stack \"{}\"{}; known are {}", stack, did_you_mean(stack, names), fmt::join(names, ", "))};
  session.note(fmt::format("--stack {}: no measured row; its times rest on a prior and may be off by a factor of two", stack));
}

Run define_collective(CLI::App& app) {
  const auto options = std::make_shared<CollectiveOptions>();
  app.add_option("rig", options->rig, msg("rig file; - reads standard input"))->required()->type_name("RIG");
  app.add_option_function<std::string>(
         "--op", [options](const std::string& text) { read_op(text, *options); },
         msg("all-reduce, reduce-scatter, all-gather, broadcast, reduce, all-to-all, send-receive"))
      ->type_name("OPERATION");
  app.add_option_function<std::string>(
         "--bytes", [options](const std::string& text) { read_sizes(text, *options); },
         msg("one size, or two with .. between: each power of four from the first to the second"))
      ->type_name("SIZE[..SIZE]");
  app.add_option("--stack", options->stack,
                 msg("which library and what its clock includes; by default the library of the cards' vendor "
                     "in a recorded graph"))
      ->type_name("NAME");
  add_format(app, options->format);
  return [options](const Session& session) {
    const auto calibration = built_in_calibration("collectives");
    check_stack(options->stack, calibration, session);
    const auto graph = build_graph(read_rig_file(session, options->rig), session.catalog());
    if (graph.cards() < 2) throw UsageError{fmt::format("a collective needs two cards; this rig has {}", graph.cards())};
    std::vector<Bytes> sizes;
    for (auto size = options->least; size < options->most; size *= 4) sizes.push_back(size);
    sizes.push_back(options->most);
    const auto report = report_collective(graph, options->op, sizes, calibration, options->stack);
    session.print(options->format == OutputFormat::json ? to_json_text(collective_json(report)) + "\n"
                                                        : session.fitted(collective_text(report, session.screen())));
    return ExitCode::done;
  };
}

}  // namespace

const Command collective_command{"collective", msg("Time of a collective operation on a rig, by message size"),
                                 "rigplan collective rig.json --op all-reduce --bytes 1KiB..1GiB", define_collective};

}  // namespace rigplan
