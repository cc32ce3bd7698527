// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "rigplan/json/data_error.h"
#include "rigplan/json/json_file.h"
#include "rigplan/report/claim.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct CheckClaimOptions {
  std::vector<std::string> files;
  std::string model, quant = "Q4_K_M", gpu, method, engine;
  int count = 1, users = 1;
  std::optional<double> billions, bits;
  std::optional<Tokens> context;
  bool fits = false;
  std::optional<TokenRate> tokens_per_s;
  std::optional<double> train_tokens;
  std::optional<Seconds> time;
  std::optional<YuanPerSecond> rent_price;
  std::optional<double> hours;
  std::optional<Yuan> costs, price;
  OutputFormat format = OutputFormat::table;
};

ClaimedModel model_of_options(const CheckClaimOptions& options, const Session& session) {
  ClaimedModel model{.id = options.model, .parameters = 0, .quant = options.quant, .bits = options.bits.value_or(0)};
  if (options.billions) model.parameters = *options.billions * 1e9;
  if (model.id.empty() && (model.parameters <= 0 || (options.fits && model.bits <= 0)))
    throw UsageError{msg("give --model, or --billions with --bits, for a model that the catalog does not have")};
  if (!model.id.empty() && !session.models().find(model.id))
    throw UsageError{fmt::format("--model: no model \"{}\"{}", model.id, did_you_mean(model.id, session.models().ids()))};
  return model;
}

JobKind kind_of_options(const CheckClaimOptions& options, JobKind otherwise) {
  if (options.method.empty()) return otherwise;
  return options.method == "lora" ? JobKind::lora : options.method == "qlora" ? JobKind::qlora : JobKind::full_finetune;
}

const Gpu& gpu_of_options(const CheckClaimOptions& options, const Session& session) {
  const auto& gpus = session.catalog().gpus;
  if (options.gpu.empty()) throw UsageError{msg("give --gpu: what the claim is about")};
  const auto* gpu = gpus.find(options.gpu);
  if (!gpu) throw UsageError{fmt::format("--gpu: no card \"{}\"{}", options.gpu, did_you_mean(options.gpu, gpus.ids()))};
  return *gpu;
}

/// The claim that the flags make up, with one check for each thing that is said.
Claim claim_of_options(const CheckClaimOptions& options, const Session& session) {
  Claim claim{.id = "claim", .says = "", .source = "", .why = "", .checks = {}};
  const auto say = [&](const std::string& text) { claim.says += (claim.says.empty() ? "" : "; ") + text; };
  const bool about_cards = options.fits || options.tokens_per_s || options.train_tokens || options.rent_price || options.price;
  const auto* gpu = about_cards ? &gpu_of_options(options, session) : nullptr;
  const auto cards = gpu ? ClaimedCards{gpu->id, options.count} : ClaimedCards{};
  const auto on = gpu ? fmt::format("{} × {}", options.count, gpu->name) : std::string{};
  const bool trains = !options.method.empty() || options.train_tokens;
  const auto name = !options.model.empty() ? options.model + (trains ? "" : " " + options.quant)
                                           : fmt::format("{} billion parameters", format_number(options.billions.value_or(0)));
  if (options.fits) {
    FitsCheck check{.model = model_of_options(options, session), .cards = cards};
    check.kind = kind_of_options(options, JobKind::inference);
    if (options.context) check.context = *options.context;
    claim.checks.emplace_back(check);
    say(fmt::format("{}{} fits on {}", name, options.method.empty() ? "" : " " + options.method, on));
  }
  if (options.tokens_per_s) {
    SpeedCheck check{.model = model_of_options(options, session), .cards = cards};
    check.engine = options.engine;
    check.users = options.users;
    check.low = check.high = *options.tokens_per_s;
    claim.checks.emplace_back(check);
    say(fmt::format("{} runs at {} on {}", name, to_text(*options.tokens_per_s), on));
  }
  if (options.train_tokens) {
    if (!options.time) throw UsageError{msg("give --time with --train-tokens")};
    TrainingCheck check{.model = model_of_options(options, session), .cards = cards};
    check.kind = kind_of_options(options, JobKind::lora);
    check.tokens = *options.train_tokens * token;
    check.time = *options.time;
    claim.checks.emplace_back(check);
    say(fmt::format("{} trains {:g} tokens in {} on {}", name, *options.train_tokens, to_text(*options.time), on));
  }
  if (options.price) {
    claim.checks.emplace_back(PriceCheck{gpu->id, *options.price, *options.price});
    say(fmt::format("{} costs {}", gpu->name, to_text(*options.price)));
  }
  if (options.rent_price) {
    claim.checks.emplace_back(RentCheck{gpu->id, *options.rent_price});
    say(fmt::format("{} rents for {}", gpu->name, to_text(*options.rent_price)));
  }
  if (options.costs) {
    if (!options.rent_price || !options.hours) throw UsageError{msg("give --rent-price and --hours with --costs")};
    SumCheck check{.sum = fmt::format("{} * {} * {}", options.count, options.rent_price->in(yuan_per_hour), *options.hours),
                   .says = options.costs->in(yuan),
                   .unit = "yuan"};
    claim.checks.emplace_back(check);
    say(fmt::format("{} cards for {} h cost {}", options.count, format_number(*options.hours), to_text(*options.costs)));
  }
  return claim;
}

ExitCode run_check_claim(const CheckClaimOptions& options, const Session& session) {
  const auto calibrations = built_in_calibrations();
  const ClaimContext context{session.catalog(), session.models(), calibrations};
  std::vector<ClaimRow> rows;
  const auto add = [&](Claim claim) {
    auto checked = check_claim(context, claim);
    rows.push_back({std::move(claim), std::move(checked)});
  };
  for (const auto& path : options.files)
    for (const auto& file : json_files_at(path)) add(read_claim(JsonFile::parse(file, read_file(file), JsonComments::allowed)));
  if (options.files.empty()) {
    auto claim = claim_of_options(options, session);
    if (claim.checks.empty())
      throw UsageError{
          msg("say what is claimed: a file, or --fits, --tokens-per-s, --train-tokens, --price, --rent-price, --costs")};
    add(std::move(claim));
  }
  if (rows.empty()) throw UsageError{fmt::format("there is no claim file in {}", options.files.front())};
  session.print(options.format == OutputFormat::json ? to_json_text(claims_to_json(rows)) + "\n"
                                                     : session.fitted(claims_to_text(rows, session.screen())));
  return ExitCode::done;
}

Run define_check_claim(CLI::App& app) {
  const auto options = std::make_shared<CheckClaimOptions>();
  const auto group = msg("Claim in words");
  app.add_option("FILE", options->files, msg("Claim files or folders of them; - reads standard input"))->type_name("FILE");
  app.add_option("--model,-m", options->model, "Model")->group(group);
  app.add_option("--quant", options->quant, msg("Number format of its weights"))->group(group);
  app.add_option("--billions", options->billions, msg("Billions of parameters, for a model that the catalog does not have"))
      ->check(CLI::Range(0.001, 1e5))
      ->group(group);
  app.add_option("--bits", options->bits, msg("Bits of a weight, with --billions"))->check(CLI::Range(0.5, 64.0))->group(group);
  app.add_option("--gpu", options->gpu, "Card")->group(group);
  app.add_option("--count", options->count, msg("Number of cards"))->check(CLI::Range(1, 100000))->group(group);
  add_quantity<Tokens>(app, "--context,-c", options->context, msg("Window, with --fits"))->group(group);
  app.add_option("--users,-u", options->users, msg("Users at the same time, with --tokens-per-s"))
      ->check(CLI::Range(1, 4096))
      ->group(group);
  app.add_option("--engine", options->engine, msg("Program that runs the model"))->group(group);
  app.add_option("--method", options->method, msg("lora, qlora or full"))
      ->check(CLI::IsMember({"lora", "qlora", "full"}))
      ->group(group);
  app.add_flag("--fits", options->fits, "It fits")->group(group);
  add_quantity<TokenRate>(app, "--tokens-per-s", options->tokens_per_s, msg("It runs so fast"), token_per_s)->group(group);
  app.add_option("--train-tokens", options->train_tokens, msg("So many tokens are trained, such as 2.1e9"))
      ->check(CLI::Range(1.0, 1e16))
      ->group(group);
  add_quantity<Seconds>(app, "--time", options->time, msg("In this time"))->group(group);
  add_quantity<Yuan>(app, "--price", options->price, msg("The card costs so much"), yuan)->group(group);
  add_quantity<YuanPerSecond>(app, "--rent-price", options->rent_price, msg("A card-hour costs so much"), yuan_per_hour)
      ->group(group);
  app.add_option("--hours", options->hours, msg("Hours of each card"))->check(CLI::Range(0.0, 1e7))->group(group);
  add_quantity<Yuan>(app, "--costs", options->costs, msg("All cards and hours cost so much"), yuan)->group(group);
  add_format(app, options->format);
  return [options](const Session& session) { return run_check_claim(*options, session); };
}

}  // namespace

const Command check_claim_command{"check-claim",
                                  msg("Whether a statement of an advertisement or a forum can be true, with the sum"),
                                  "rigplan check-claim examples/claims/c08.json", define_check_claim};

}  // namespace rigplan
