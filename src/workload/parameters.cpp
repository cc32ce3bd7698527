// SPDX-License-Identifier: Apache-2.0
#include "rigplan/workload/parameters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "workload/gguf_rule.h"

namespace rigplan {
namespace {

/// The fraction of the routed experts' weights that one token uses, over all mixtures of the model.
double active_expert_share(const TransformerModel& model, double tokens) {
  double all = 0, used = 0;
  for (const auto& group : model.groups) {
    const auto* moe = std::get_if<MixtureOfExperts>(&group.feed_forward);
    if (!moe || moe->experts == 0) continue;
    const double weights = static_cast<double>(group.count) * moe->experts * moe->expert_width;
    const double share = static_cast<double>(moe->active) / moe->experts;
    all += weights;
    used += weights * (1 - std::pow(1 - share, tokens));
  }
  return all > 0 ? used / all : 1;
}

GgufFacts facts_of(const TransformerModel& model) {
  GgufFacts facts{model.layers(), 1, 0};
  for (const auto& group : model.groups) {
    const auto* heads = std::get_if<GroupedQuery>(&group.attention);
    if (const auto* sliding = std::get_if<SlidingWindow>(&group.attention)) heads = &sliding->heads;
    if (heads && heads->kv_heads > 0) facts.queries_per_kv_head = heads->heads / heads->kv_heads;
    if (const auto* moe = std::get_if<MixtureOfExperts>(&group.feed_forward)) facts.experts = moe->experts;
  }
  return facts;
}

/// Layers of the model that have a matrix like this one, so that "the first eighth" means the same as in the quantiser.
int alike_over_depth(const TransformerModel& model, const Matrix& matrix) {
  if (matrix.group < 0) return 1;
  if (matrix.role == MatrixRole::down || matrix.role == MatrixRole::up || matrix.role == MatrixRole::gate) return model.layers();
  int n = 0;
  for (const auto& group : model.groups) n += std::holds_alternative<Recurrent>(group.attention) ? 0 : group.count;
  return n > 0 ? n : model.layers();
}

const NumberFormat* format_of(const GgufFacts& facts, bool tied, const WeightMix& mix, const Matrix& matrix, int index,
                              int count) {
  using enum TensorClass;
  const bool gguf = mix.family == "gguf";
  switch (matrix.kind) {
    case norms:
    case router:
      return mix.small;
    case extra:
      return mix.embedding;
    case embedding:
      return gguf_fitting_format(tied && gguf ? mix.head : mix.embedding, matrix.columns);
    case head:
      return gguf ? gguf_fitting_format(mix.head, matrix.columns) : mix.head;
    default:
      break;
  }
  if (matrix.kind != experts && mix.others != mix.bulk) return mix.others;
  const auto* chosen = gguf_rule_format(mix.rule, matrix.role, facts, index, count);
  if (!chosen) chosen = mix.bulk;
  return gguf ? gguf_fitting_format(chosen, matrix.columns) : chosen;
}

/// Bytes of all copies of a matrix.
Bytes bytes_of(const TransformerModel& model, const GgufFacts& facts, const WeightMix& mix, const Matrix& matrix) {
  if (matrix.kind == TensorClass::extra && mix.family == "gguf") return {};
  if (mix.rule == GgufRule::none) return format_of(facts, model.tied_embeddings, mix, matrix, 0, 1)->bytes(matrix.values());
  const int n = alike_over_depth(model, matrix);
  Bytes sum;
  for (int i = 0; i < n; ++i) sum += format_of(facts, model.tied_embeddings, mix, matrix, i, n)->bytes(matrix.values() / n);
  return sum;
}

}  // namespace

ParameterCount count_parameters(const TransformerModel& model) {
  ParameterCount count;
  for (const auto& matrix : matrices(model)) count[matrix.kind] += matrix.values();
  return count;
}

ParameterCount active_parameters(const TransformerModel& model) {
  auto count = count_parameters(model);
  count[TensorClass::experts] *= active_expert_share(model, 1);
  count[TensorClass::head] = static_cast<double>(model.hidden) * model.vocabulary;
  count[TensorClass::embedding] = 0;
  count[TensorClass::extra] = 0;
  return count;
}

WeightBytes weight_bytes(const TransformerModel& model, const WeightMix& mix) {
  WeightBytes bytes;
  if (!model.file_weights.empty()) {
    std::copy_n(model.file_weights.begin(), std::min(model.file_weights.size(), bytes.amounts.size()), bytes.amounts.begin());
    return bytes;
  }
  const auto facts = facts_of(model);
  for (const auto& matrix : matrices(model)) bytes[matrix.kind] += bytes_of(model, facts, mix, matrix);
  return bytes;
}

std::vector<Bytes> group_weight_bytes(const TransformerModel& model, const WeightMix& mix) {
  std::vector<Bytes> bytes(model.groups.size());
  const auto facts = facts_of(model);
  for (const auto& matrix : matrices(model)) {
    if (matrix.group >= 0) bytes[static_cast<std::size_t>(matrix.group)] += bytes_of(model, facts, mix, matrix);
  }
  if (model.file_weights.empty()) return bytes;
  // The file states classes of tensors, not groups: each group gets its share by the format.
  const auto sum = std::accumulate(bytes.begin(), bytes.end(), Bytes{});
  const auto file = weight_bytes(model, mix).layers();
  for (auto& group : bytes) group *= sum > Bytes{} ? file / sum : 1;
  return bytes;
}

WeightBytes weight_bytes_read(const TransformerModel& model, const WeightBytes& weights, double tokens) {
  auto read = weights;
  read[TensorClass::experts] *= active_expert_share(model, tokens);
  if (model.tied_embeddings) {
    // The tied matrix is multiplied as the head; other tables in this class are looked up by row.
    const double matrix = static_cast<double>(model.hidden) * model.vocabulary;
    read[TensorClass::head] = weights[TensorClass::embedding] * (matrix / (matrix + model.lookup_parameters));
  }
  read[TensorClass::embedding] = Bytes{};
  read[TensorClass::extra] = Bytes{};
  return read;
}

Flops matrix_flops_per_token(const TransformerModel& model) { return Flops{2 * active_parameters(model).total()}; }

const NumberFormat* matrix_format(const TransformerModel& model, const WeightMix& mix, const Matrix& matrix, int index,
                                  int count) {
  return format_of(facts_of(model), model.tied_embeddings, mix, matrix, index, count);
}

}  // namespace rigplan
