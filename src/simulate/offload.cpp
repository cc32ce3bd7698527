// SPDX-License-Identifier: Apache-2.0
#include "simulate/offload.h"

#include <algorithm>

#include "rigplan/estimate/compute/training_times.h"

namespace rigplan {
namespace {

Seconds moved(Bytes size, Bandwidth rate) { return rate > Bandwidth{} ? size / rate : Seconds{}; }

}  // namespace

// Optimizer on the host: Ren et al., ZeRO-Offload, arXiv:2101.06840, section 4: gradients leave beside the last backward pass,
// the processors update at the rate of their memory, and the new weights come back with nothing to hide them. Weights on the
// host: Rajbhandari et al., arXiv:2104.07857, section 3: each micro-batch fetches them for either pass and sends its gradients
// away, beside the arithmetic.
Seconds offload_time(const SharedWeights& w, const Job& job, const ParallelPlan& plan, const TrainingStack& stack,
                     const HostPath& host, Seconds micro, double count) {
  const Seconds backward = 2.0 / 3 * micro;
  const Bytes gradients = w.updated * w.gradient;
  const Seconds update = moved(optimizer_traffic(w.updated, job, stack), host.memory);
  if (job.offload == Offload::optimizer)
    return std::max(Seconds{}, moved(gradients, host.link) - backward) + update + moved(w.updated * w.stored, host.link);
  const double shards = plan.sharding < 3 ? 1 : plan.shard_cards > 0 ? plan.shard_cards : plan.replicas;
  const Bytes fetched = 2 * (w.all / shards) * w.stored;
  return count * std::max(Seconds{}, moved(fetched + gradients, host.link) - micro) + update;
}

}  // namespace rigplan
