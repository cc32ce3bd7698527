// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "rigplan/units/quantity.h"

namespace rigplan {

/// Collective operations. A size is always the whole buffer: what an all-reduce sums, what an all-gather ends with, what a
/// reduce-scatter starts from, what one card sends to all others together in an all-to-all (the convention of nccl-tests).
enum class CollectiveOp { all_reduce, reduce_scatter, all_gather, broadcast, reduce, all_to_all, send_receive };
inline constexpr int collective_ops = 7;
inline constexpr std::array<std::string_view, collective_ops> collective_names{
    "all-reduce", "reduce-scatter", "all-gather", "broadcast", "reduce", "all-to-all", "send-receive"};

inline std::string_view to_text(CollectiveOp op) { return collective_names[static_cast<std::size_t>(op)]; }
/// Reads "all-reduce", "all_reduce" or "allreduce"; nothing when it is no operation.
std::optional<CollectiveOp> collective_from_text(std::string_view text);

/// Bytes over the most loaded edge of a ring of n cards, as a share of the message: 2(n-1)/n for an all-reduce, (n-1)/n for
/// gather, scatter and all-to-all, 1 for the others. It is also the factor from algorithm to bus bandwidth in nccl-tests.
double ring_share(CollectiveOp op, int n);

/// Steps of the ring algorithm with n cards, one after another: 2(n-1) for an all-reduce, 1 for send-receive, else n-1.
int ring_steps(CollectiveOp op, int n);

}  // namespace rigplan
