// SPDX-License-Identifier: Apache-2.0
#include "simulate/data_parallel.h"

#include <algorithm>

#include "rigplan/estimate/compute/training_times.h"

namespace rigplan {
namespace {

/// A gather or reduce-scatter of `whole` bytes over the group: (n - 1) / n of them cross the bus.
Seconds gather(const GroupFabric& fabric, Bytes whole, double share) {
  const double n = fabric.cards;
  return n > 1 ? fabric.all_reduce_latency + (n - 1) / n * whole / (share * fabric.all_reduce_bus) : Seconds{};
}
Seconds all_reduce(const GroupFabric& fabric, Bytes size, double share) { return 2 * gather(fabric, size, share); }

}  // namespace

Seconds all_reduce(const GroupFabric& fabric, Bytes size) { return all_reduce(fabric, size, 1); }

Seconds exposed(Seconds work, Seconds transfer, double overlap) {
  return std::max(work, transfer) + (1 - overlap) * std::min(work, transfer) - work;
}

SharedWeights shared_weights(const TransformerModel& model, const Job& job, const ParallelPlan& plan) {
  const auto layers = layer_weights(model, job);
  const double part = 1.0 / (plan.pipeline * plan.tensor);
  const double ends = static_cast<double>(model.vocabulary) * model.hidden * (model.tied_embeddings ? 1 : 2) / plan.tensor /
                      (plan.pipeline > 1 ? 2 : 1);
  SharedWeights out;
  out.all = (layers.dense + layers.experts_all / plan.expert) * part + ends;
  const bool full = job.kind == JobKind::full_finetune;
  out.trained = full ? out.all : layers.adapters * part + (job.train_embeddings ? ends : 0);
  const double shards = plan.shard_cards > 0 ? plan.shard_cards : plan.replicas;
  out.updated = out.trained / (plan.sharding >= 1 ? shards : 1);
  // A quantised base travels as it is stored.
  out.stored = job.kind == JobKind::qlora ? 0.56 * byte : (job.precision == TrainingPrecision::fp32 ? 4 : 2) * byte;
  out.gradient = 2 * byte;
  return out;
}

// Stages 1 to 3: Rajbhandari et al., arXiv:1910.02054. The reduction of plain data parallelism runs beside the last backward
// pass.
Seconds data_parallel_time(const SharedWeights& w, const Job& job, const ParallelPlan& plan, const TrainingStack& stack,
                           const TrainingFabric& fabric, const TrainingConstants& c, Seconds micro, double count) {
  if (plan.replicas < 2) return {};
  const bool fp32_gradients = job.kind == JobKind::full_finetune && job.fp32_master && stack.mixed == MixedStyle::autocast;
  const Bytes gradients = w.trained * (fp32_gradients ? 4 * byte : w.gradient);
  const Bytes weights = w.all * w.stored;
  const bool hybrid = plan.shard_cards > 0 && plan.shard_cards < plan.replicas;
  if (plan.sharding >= 3) {
    const Seconds transfer = 2 * gather(fabric.shard, weights, c.gather_bus) + gather(fabric.shard, gradients, c.gather_bus);
    const Seconds between =
        hybrid ? exposed(micro, all_reduce(fabric.data, gradients / plan.shard_cards, c.gather_bus), c.gather_overlap)
               : Seconds{};
    return count * exposed(micro, transfer, c.gather_overlap) + between;
  }
  const Seconds backward = 2.0 / 3 * micro;
  if (plan.sharding == 2)
    return exposed(micro, gather(fabric.shard, w.trained * w.stored, c.gather_bus), c.gather_overlap) +
           count * exposed(backward, gather(fabric.data, gradients, c.gather_bus), c.gather_overlap);
  if (plan.sharding == 1) {
    // Gradients are reduced beside the backward pass; the updated weights are gathered after the step, with nothing to hide them.
    const Seconds reduce = (hybrid ? 2 : 1) * gather(fabric.data, gradients, c.gather_bus);
    return exposed(backward, reduce, c.gather_overlap) + gather(fabric.shard, w.trained * w.stored, c.gather_bus);
  }
  return exposed(backward, all_reduce(fabric.data, gradients, c.gather_bus), c.reduce_overlap);
}

}  // namespace rigplan
