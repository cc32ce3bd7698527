// SPDX-License-Identifier: Apache-2.0
#include "report/time_shares.h"

#include <algorithm>

#include "rigplan/units/message.h"

namespace rigplan {
namespace {

std::vector<std::pair<std::string, Seconds>> decode_parts(const InferenceSpeed& speed) {
  const auto& parts = speed.parts;
  return {{msg("weights"), parts.weights},   {msg("arithmetic"), parts.arithmetic}, {msg("KV cache"), parts.kv},
          {msg("launches"), parts.launches}, {msg("links"), parts.communication},   {msg("host memory"), parts.host}};
}

}  // namespace

std::vector<std::pair<std::string, Seconds>> named_parts(const TrainingParts& parts, PartDetail detail) {
  const bool apart = detail == PartDetail::apart;
  std::vector<std::pair<std::string, Seconds>> all = {
      {msg("matrix products"), parts.gemm},          {msg("attention"), parts.attention},
      {msg("elementwise"), parts.elementwise},       {msg("recomputation"), parts.recompute},
      {msg("dequantisation"), parts.dequantisation}, {msg("loss"), parts.loss},
      {msg("host launches"), parts.host_launch}};
  if (apart)
    all.insert(all.end(), {{msg("tensor-parallel all-reduces"), parts.tensor_comm},
                           {msg("expert-parallel all-to-alls"), parts.expert_comm},
                           {msg("exposed communication"), parts.exposed_comm},
                           {msg("passes between stages"), parts.stage_hops}});
  else
    all.emplace_back(msg("links"), parts.tensor_comm + parts.expert_comm + parts.exposed_comm + parts.stage_hops);
  all.emplace_back(msg("pipeline bubble"), parts.bubble);
  all.emplace_back(apart ? msg("states in host memory") : msg("host memory"), parts.offload);
  all.emplace_back(msg("optimizer"), parts.optimizer);
  return all;
}

std::vector<std::pair<std::string, double>> time_shares(const PlanResult& result) {
  std::vector<std::pair<std::string, Seconds>> parts;
  Seconds whole;
  if (result.inference) parts = decode_parts(*result.inference), whole = result.inference->parts.total();
  if (result.training) parts = named_parts(result.training->parts), whole = result.training->step;
  std::vector<std::pair<std::string, double>> shares;
  for (const auto& [name, part] : parts)
    if (part > 0.005 * whole) shares.emplace_back(name, part / whole);
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return shares;
}

}  // namespace rigplan
