// SPDX-License-Identifier: Apache-2.0
// Claims about what runs on which cards, against ceilings first (bytes that must lie somewhere, bytes a second, operations a
// second) and then against the model's range. Operations of training: 2 a weight and token forward, 4 backward; a frozen weight
// needs only the half of the backward pass that carries gradients on (Kaplan et al. 2020, section 2.1).
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rigplan/search/estimate_rig.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "rigplan/validate/check_claim.h"
#include "rigplan/workload/number_format.h"
#include "rigplan/workload/parameters.h"

namespace rigplan {
namespace {

/// The best that long training runs were seen to reach is about three fifths of the peak.
constexpr double greatest_mfu = 0.6;
/// A slower figure than expected can always be had; below this share of the range's low end something else was measured.
constexpr double slowest_share = 0.5;

/// Driver, buffers and the smallest cache take at least a twentieth of a card.
constexpr double greatest_fill = 0.95;

/// What a claim's model weighs.
struct ModelWeights {
  const TransformerModel* model = nullptr;  ///< nullptr: only a number of parameters is known
  const WeightMix* mix = nullptr;
  double parameters = 0;
  Bytes bytes;
  std::string sum;  ///< "671 billion parameters x 4.83 bits"
};

std::optional<ModelWeights> weights_of(ModelLibrary& models, const ClaimedModel& claimed, std::string& why_not) {
  ModelWeights weights;
  weights.mix = find_weight_mix(claimed.quant);
  if (!claimed.id.empty()) {
    weights.model = models.find(claimed.id);
    if (!weights.model || !weights.mix) {
      why_not = fmt::format("no model \"{}\" in {}", claimed.id, claimed.quant);
      return std::nullopt;
    }
    weights.parameters = count_parameters(*weights.model).total();
    weights.bytes = weight_bytes(*weights.model, *weights.mix).total();
  } else {
    weights.parameters = claimed.parameters;
    weights.bytes = claimed.parameters * claimed.bits / 8 * byte;
  }
  weights.sum = fmt::format("{} billion parameters × {} bits = {} GB", format_number(weights.parameters / 1e9),
                            format_number(8 * weights.bytes.in(byte) / std::max(weights.parameters, 1.0)),
                            format_number(weights.bytes.in(GB)));
  return weights;
}

std::optional<Candidate> evaluated(const ClaimContext& context, const ModelWeights& weights, const ClaimedCards& cards, Job job,
                                   std::string& why_not) {
  Query query;
  query.job = std::move(job);
  query.job.model = weights.model->id;
  query.schedule = default_schedule(context.catalog);
  try {
    const auto rig = rig_of(context.catalog, cards.gpu, cards.count, "");
    const Evaluator evaluator{context.catalog, *weights.model, context.calibrations, query};
    return estimate_rig(evaluator, {rig, rig.nodes.front().board, ""}).candidate;
  } catch (const std::runtime_error& error) {
    why_not = error.what();
    return std::nullopt;
  }
}

Job claimed_job(const ClaimContext& context, const ClaimedModel& model, JobKind kind, const std::string& engine) {
  Job job;
  job.kind = kind;
  job.weight_format = kind == JobKind::inference ? model.quant : kind == JobKind::qlora ? "NF4" : "BF16";
  job.engine = kind == JobKind::inference ? "llama.cpp" : built_in_training_stacks().front().id;
  if (const auto* mix = find_weight_mix(model.quant); mix && kind == JobKind::inference && engine.empty())
    for (const auto& known : context.catalog.engines.entries)
      if (!known.splits.empty() && std::find(known.formats.begin(), known.formats.end(), mix->family) != known.formats.end()) {
        job.engine = known.id;
        break;
      }
  if (!engine.empty()) job.engine = engine;
  return job;
}

double flops_per_weight(JobKind kind) { return kind == JobKind::full_finetune ? 6 : kind == JobKind::inference ? 2 : 4; }

FlopRate best_peak(const Gpu& gpu) {
  FlopRate best;
  for (const auto& rate : {gpu.peaks.fp32, gpu.peaks.fp16_vector, gpu.peaks.fp16_matrix, gpu.peaks.bf16_matrix})
    best = std::max(best, rate.value_or(FlopRate{}));
  return best;
}

}  // namespace

CheckedPart check_part(const ClaimContext& context, const FitsCheck& check) {
  std::string why_not;
  const auto* gpu = context.catalog.gpus.find(check.cards.gpu);
  auto model = check.model;
  if (check.kind != JobKind::inference) model.quant = check.kind == JobKind::qlora ? "NF4" : "BF16";
  const auto weights = weights_of(context.models, model, why_not);
  if (!gpu || !weights) return {Verdict::unverifiable, gpu ? why_not : fmt::format("no card \"{}\"", check.cards.gpu)};
  const auto room = check.cards.count * gpu->vram;
  auto text = fmt::format("weights: {}; {} × {} = {} GB", weights->sum, check.cards.count, to_text(gpu->vram),
                          format_number(room.in(GB)));
  if (check.weights) {
    text += fmt::format("; stated weights: {} GB", format_number(check.weights->in(GB)));
    if (*check.weights < 0.75 * weights->bytes) return {Verdict::impossible, text};
  }
  const auto least = check.kind == JobKind::full_finetune ? 16 * weights->parameters * byte : weights->bytes;
  if (check.kind == JobKind::full_finetune)
    text += fmt::format("; weights, gradients and two moments at 16 bytes each parameter: {} GB", format_number(least.in(GB)));
  if (least > room) {
    text += fmt::format(": {} times the memory", format_number(least / room));
    return {check.fits ? Verdict::impossible : Verdict::consistent, text};
  }
  if (!weights->model && least > greatest_fill * room)
    return {check.fits ? Verdict::implausible : Verdict::consistent,
            text + fmt::format(": {:.0f} % full before cache, buffers and driver", 100 * (least / room))};
  if (!weights->model)
    return {Verdict::unverifiable, text + msg(": the weights fit; caches of an unknown shape cannot be computed")};
  auto job = claimed_job(context, check.model, check.kind, "");
  job.context = check.context;
  job.prompt = job.generate = 0.25 * check.context;
  job.sequence = check.sequence;
  const auto candidate = evaluated(context, *weights, check.cards, job, why_not);
  if (!candidate) return {Verdict::unverifiable, text + ": " + why_not};
  const bool fits = candidate->best.fits;
  text += fits ? msg("; with cache and buffers it fits") : msg("; it does not fit: ") + candidate->best.shortfall;
  return {fits == check.fits ? Verdict::consistent : Verdict::implausible, text};
}

CheckedPart check_part(const ClaimContext& context, const SpeedCheck& check) {
  std::string why_not;
  const auto* gpu = context.catalog.gpus.find(check.cards.gpu);
  const auto weights = weights_of(context.models, check.model, why_not);
  if (!gpu || !weights) return {Verdict::unverifiable, gpu ? why_not : fmt::format("no card \"{}\"", check.cards.gpu)};
  const auto read = weights->model ? weight_bytes_read(*weights->model, weight_bytes(*weights->model, *weights->mix), 1).total()
                                   : weights->bytes;
  const auto bound = check.cards.count * gpu->vram_bandwidth / read * token;
  const auto said = format_range({check.low.in(token_per_s), check.low.in(token_per_s), check.high.in(token_per_s)});
  auto text = fmt::format("one stream reads {} GB a token: at most {} token/s from {} × {}; stated: {} token/s",
                          format_number(read.in(GB)), format_number(bound.in(token_per_s)), check.cards.count,
                          to_text(gpu->vram_bandwidth), said);
  if (check.users == 1 && check.low > bound) return {Verdict::impossible, text};
  if (!weights->model) return {Verdict::unverifiable, text + msg("; the model's shape is not known")};
  auto job = claimed_job(context, check.model, JobKind::inference, check.engine);
  job.users = check.users;
  const auto candidate = evaluated(context, *weights, check.cards, job, why_not);
  if (!candidate) return {Verdict::unverifiable, text + "; " + why_not};
  if (!candidate->best.fits || !candidate->best.inference)
    return {Verdict::implausible, text + msg("; it does not fit: ") + candidate->best.shortfall};
  const auto& range = candidate->best.inference->decode;
  text +=
      fmt::format("; expected with {}{}: {} token/s", job.engine,
                  check.users > 1 ? fmt::format(" for {} users together", check.users) : "", format_range(range, token_per_s));
  const bool near = check.high >= slowest_share * range.low && check.low <= 1.25 * range.high;
  return {near ? Verdict::consistent : Verdict::implausible, text};
}

CheckedPart check_part(const ClaimContext& context, const TrainingCheck& check) {
  std::string why_not;
  const auto* gpu = context.catalog.gpus.find(check.cards.gpu);
  const auto weights = weights_of(context.models, check.model, why_not);
  const auto peak = gpu ? best_peak(*gpu) : FlopRate{};
  if (!weights || peak <= FlopRate{})
    return {Verdict::unverifiable, weights ? fmt::format("no peak rate of \"{}\"", check.cards.gpu) : why_not};
  const auto share_of_peak = [&](Tokens tokens) {
    const double operations = flops_per_weight(check.kind) * weights->parameters * tokens.in(token);
    return operations * FLOP / check.time / check.cards.count / peak;
  };
  const double share = share_of_peak(check.tokens);
  auto text = fmt::format(
      "{:g} operations × {} billion parameters × {:.3g} tokens / {} s / {} cards = {} TFLOP/s a card, {:.0f} % of "
      "its peak of {}",
      flops_per_weight(check.kind), format_number(weights->parameters / 1e9), check.tokens.in(token),
      format_whole(check.time.in(second)), check.cards.count, format_number((share * peak).in(TFLOP_per_s)), 100 * share,
      to_text(peak));
  auto verdict = share > 1 ? Verdict::impossible : share > greatest_mfu ? Verdict::implausible : Verdict::consistent;
  for (const auto& reading : check.readings) {
    const double other = share_of_peak(reading.tokens);
    text += fmt::format("; {}: {:.0f} %", reading.as, 100 * other);
    if (verdict == Verdict::impossible && other <= greatest_mfu) verdict = Verdict::implausible;
  }
  return {verdict, text};
}

}  // namespace rigplan
