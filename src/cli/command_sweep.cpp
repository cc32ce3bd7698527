// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/ordered_blocks.h"
#include "cli/progress.h"
#include "cli/sweep_header.h"
#include "cli/sweep_output.h"
#include "cli/sweep_points.h"
#include "rigplan/report/question.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

constexpr std::int64_t points_of_a_block = 1024, most_in_a_table = 10'000;

struct SweepOptions {
  std::string file;
  SweepInput input;
  std::vector<std::string> scans;
  std::string out = "-", shard;
  std::optional<SweepFormat> format;
  std::set<std::string> given;  ///< names of the options that the command line has
  std::int64_t most_points = 1'000'000'000;
  int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool resume = false, progress = false;
};

std::vector<SweepAxis> axes_of(const SweepOptions& options, SweepInput& base) {
  std::vector<SweepAxis> axes;
  if (!options.file.empty()) read_sweep_file(options.file, options.given, base, axes);
  for (const auto& text : options.scans) {
    auto axis = parse_axis(text, is_token_field);
    if (const auto* error = std::get_if<AxisError>(&axis)) throw UsageError{"--scan " + error->message};
    axes.push_back(std::get<SweepAxis>(std::move(axis)));
  }
  return axes;
}

PointRange range_of(const SweepOptions& options, std::int64_t points) {
  if (options.shard.empty()) return {0, points};
  const auto slash = options.shard.find('/');
  const auto part = parse_integer(options.shard.substr(0, slash), 1, 1'000'000);
  const auto parts = parse_integer(slash == std::string::npos ? "" : options.shard.substr(slash + 1), 1, 1'000'000);
  const auto *i = std::get_if<long long>(&part), *n = std::get_if<long long>(&parts);
  if (!i || !n || *i > *n)
    throw UsageError{fmt::format("--shard: \"{}\" is not of the form PART/PARTS, such as 1/8", options.shard)};
  return shard_of(points, *i, *n);
}

SweepFormat format_of(const SweepOptions& options, std::int64_t points) {
  const bool to_stdout = options.out == "-";
  if (options.format) {
    if (to_stdout && *options.format == SweepFormat::sqlite)
      throw UsageError{msg("--format sqlite needs --out FILE: a database cannot be written to standard output")};
    if (!to_stdout && *options.format == SweepFormat::table)
      throw UsageError{msg("--format table is for standard output; leave out --out")};
    if (*options.format == SweepFormat::table && points > most_in_a_table)
      throw UsageError{fmt::format("--format table: {} points are more than people read ({}); use jsonl or csv",
                                   format_whole(static_cast<double>(points)), format_whole(double{most_in_a_table}))};
    return *options.format;
  }
  if (!to_stdout) return format_of_path(options.out);
  return points > most_in_a_table ? SweepFormat::jsonl : SweepFormat::table;
}

/// Makes blocks of rows on one thread.
class BlockMaker {
 public:
  BlockMaker(const SweepWorld& world, SweepFormat format, PointRange range)
      : points_{std::make_unique<SweepPoints>(world)}, lines_{world.plan().field_names()}, format_{format}, range_{range} {}

  SweepBlock operator()(std::int64_t index) {
    SweepBlock block;
    block.begin = range_.begin + index * points_of_a_block;
    block.end = std::min(range_.end, block.begin + points_of_a_block);
    block.text.reserve(size_);
    for (auto point = block.begin; point < block.end; ++point) {
      points_->compute(point, row_);
      if (format_ == SweepFormat::jsonl)
        lines_.append_json(row_, block.text);
      else if (format_ == SweepFormat::csv)
        lines_.append_csv(row_, block.text);
      else
        block.rows.push_back(row_);
    }
    size_ = std::max(size_, block.text.size());
    return block;
  }

 private:
  std::unique_ptr<SweepPoints> points_;
  SweepLines lines_;
  SweepFormat format_;
  PointRange range_;
  SweepRow row_;
  std::size_t size_ = 0;
};

void write_points(const SweepOptions& options, const SweepWorld& world, SweepFormat format, PointRange range, Progress::Show show,
                  const std::function<void(const SweepBlock&)>& take) {
  const auto blocks = (range.end - range.begin + points_of_a_block - 1) / points_of_a_block;
  Progress progress{show, 0, range.end - range.begin};
  in_order<SweepBlock>(
      blocks, static_cast<int>(std::min<std::int64_t>(options.jobs, std::max<std::int64_t>(blocks, 1))),
      [&] {
        return BlockMaker{world, format, range};
      },
      [&](const SweepBlock& block) {
        take(block);
        progress.at(block.end - range.begin);
      });
}

ExitCode run_sweep(const SweepOptions& options, const Session& session) {
  auto base = options.input;
  auto axes = axes_of(options, base);
  const auto plan = make_sweep_plan(std::move(base), std::move(axes), session);
  const auto points = plan.space.points();
  if (points > options.most_points)
    throw UsageError{fmt::format("sweep: the axes make {} points, more than {}; shorten an axis, or raise --max-points",
                                 format_whole(static_cast<double>(points)),
                                 format_whole(static_cast<double>(options.most_points)))};
  auto range = range_of(options, points);
  const auto format = format_of(options, range.end - range.begin);
  const SweepWorld world{session, plan};
  const auto show = session.options().quiet ? Progress::Show::never
                    : options.progress      ? Progress::Show::always
                                            : Progress::Show::on_terminal;
  session.work_is_shown();
  const auto fields = plan.field_names();
  if (format == SweepFormat::table) {
    std::vector<SweepRow> rows;
    write_points(options, world, format, range, show,
                 [&](const SweepBlock& block) { rows.insert(rows.end(), block.rows.begin(), block.rows.end()); });
    session.print(session.fitted(sweep_question(world) + "\n\n" + sweep_to_text(fields, rows, session.screen())));
    return ExitCode::done;
  }
  const auto header = sweep_header(world, options.shard);
  const auto output = format == SweepFormat::sqlite ? database_output(options.out, header, fields)
                                                    : text_output(options.out, format, header, fields);
  const auto all = range.end - range.begin;
  range.begin = std::min(output->start(range.begin, options.resume), range.end);
  if (options.resume && options.out != "-")
    session.note(fmt::format("{} of {} rows were there", format_whole(static_cast<double>(all - (range.end - range.begin))),
                             format_whole(static_cast<double>(all))));
  write_points(options, world, format, range, show, [&](const SweepBlock& block) { output->write(block); });
  output->finish();
  return ExitCode::done;
}

void add_sweep_output(CLI::App& app, SweepOptions& options) {
  const auto group = msg("Output");
  app.add_option("--out,-o", options.out, msg("Write to a file: .jsonl, .csv or .sqlite; it appears when it is whole"))
      ->type_name("FILE")
      ->group(group);
  app.add_option_function<std::string>(
         "--format",
         [&options](const std::string& text) {
           static const std::map<std::string, SweepFormat> names{{"table", SweepFormat::table},
                                                                 {"jsonl", SweepFormat::jsonl},
                                                                 {"json", SweepFormat::jsonl},
                                                                 {"csv", SweepFormat::csv},
                                                                 {"sqlite", SweepFormat::sqlite}};
           const auto at = names.find(text);
           if (at == names.end())
             throw CLI::ValidationError{"--format",
                                        fmt::format("\"{}\" is not a format; expected table, jsonl, csv or sqlite", text)};
           options.format = at->second;
         },
         msg("table for people (up to 10,000 points), jsonl (one JSON object a line behind a line about the sweep), csv or "
             "sqlite; "
             "by "
             "the name of the file unless given"))
      ->type_name("table|jsonl|csv|sqlite")
      ->group(group);
  app.add_option("--jobs,-j", options.jobs, msg("Threads; the output does not depend on it"))
      ->check(CLI::Range(1, 1024))
      ->group(group);
  app.add_flag("--resume", options.resume, msg("Go on with what an earlier run left in FILE.part"))->group(group);
  app.add_option("--shard", options.shard, msg("Compute one part of several, such as 1/8; rigplan merge puts them together"))
      ->type_name("PART/PARTS")
      ->group(group);
  app.add_flag("--progress", options.progress, msg("Say how far it is although stderr is no terminal"))->group(group);
  app.add_option("--max-points", options.most_points, msg("Refuse more points than this"))
      ->check(CLI::Range(std::int64_t{1}, SweepSpace::most_points))
      ->group(group);
}

Run define_sweep(CLI::App& app) {
  const auto options = std::make_shared<SweepOptions>();
  options->input.job.job.model.clear();
  app.add_option("FILE", options->file, msg("Sweep file: rig, settings and axes (examples/sweeps)"))->group(msg("Points"));
  app.add_option(
         "--scan", options->scans,
         msg("An axis: cards=2,4,8, context=8k..128k*2, users=1..64+9, linked fields cards,users=2:1,4:8, a catalog path such "
             "as gpus.mi50-32gb.price=600..1200yuan+50, a pointer into the rig file such as /nodes/0/count=1,2 (repeatable; the "
             "last axis moves fastest)"))
      ->type_name("FIELD=VALUES")
      ->allow_extra_args(false)
      ->group(msg("Points"));
  app.add_option("--rig", options->input.rig, msg("Rig file"))->type_name("FILE.json")->group(msg("Points"));
  app.add_option("--gpu", options->input.gpu, msg("Card, in place of a rig file"))->group(msg("Points"));
  app.add_option("--count", options->input.cards, msg("Number of cards"))->check(CLI::Range(1, 4096))->group(msg("Points"));
  app.add_option("--board", options->input.board, msg("Board; the first one that takes the cards unless given"))
      ->group(msg("Points"));
  add_sweep_output(app, *options);
  add_job_options(app, options->input.job);
  app.get_option("--model")->required(false);
  add_limit_options(app, options->input.job);
  add_schedule_options(app, options->input.job);
  app.parse_complete_callback([options, &app] {
    for (const auto* option : app.get_options())
      if (option->count() > 0) options->given.insert(option->get_name(false).substr(2));
  });
  return [options](const Session& session) { return run_sweep(*options, session); };
}

}  // namespace

const Command sweep_command{"sweep", msg("One rig or many under all combinations of what axes say, a row for each point"),
                            "rigplan sweep --gpu mi50-32gb --model qwen2.5-32b --scan cards=1,2,4 --scan context=8k..32k*2",
                            define_sweep};

}  // namespace rigplan
