// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/cache_time.h"

#include <algorithm>

namespace rigplan {
namespace {

constexpr double full_share = 0.75;  ///< of the bandwidth, by the attention kernels of a large batch

}  // namespace

Seconds cache_time(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, int tensor, double depth,
                   double streams) {
  auto bytes = work.state / tensor;
  for (const auto& cache : work.caches)
    bytes += std::min(depth, cache.window) / std::min<double>(tensor, cache.heads) * cache.per_token;
  const double slowness = 1 / full_share + (1 / constants.cache_share - 1 / full_share) / streams;
  return streams * slowness * bytes / card.memory;
}

}  // namespace rigplan
