// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "rigplan/topology/paths.h"

namespace rigplan {

/// Max-min fair rates of flows that run at once: all grow together until a link is full, its flows stop, the others go on.
/// A hop's weight counts that many times against its link. Flows without hops get an infinite rate.
/// Source: Bertsekas, Gallager, Data Networks, 2nd ed. (1992), section 6.5.2.
std::vector<Bandwidth> fair_shares(const RigGraph& graph, std::span<const Route> flows);

/// The same on bare links: `capacity[link]`, and the hops of each flow.
std::vector<Bandwidth> fair_shares(std::span<const Bandwidth> capacity, std::span<const std::vector<Hop>> flows);

/// Time until all of these transfers of `size` each are over when they start together and keep their fair shares:
/// the longest of latency + size / share. Every efficiency is 1.
Seconds step_time(const RigGraph& graph, std::span<const Route> flows, Bytes size);

}  // namespace rigplan
