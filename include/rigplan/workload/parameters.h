// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "rigplan/workload/matrices.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {

/// An amount for each class of tensor: `count[TensorClass::experts]`.
template <class T>
struct ByTensorClass {
  std::array<T, tensor_classes> amounts{};

  T& operator[](TensorClass kind) { return amounts[static_cast<std::size_t>(kind)]; }
  const T& operator[](TensorClass kind) const { return amounts[static_cast<std::size_t>(kind)]; }
  T total() const {
    T sum{};
    for (const auto& amount : amounts) sum += amount;
    return sum;
  }
  /// Everything but embedding, head and extras.
  T layers() const {
    using enum TensorClass;
    return total() - (*this)[embedding] - (*this)[head] - (*this)[extra];
  }
};

using ParameterCount = ByTensorClass<double>;
using WeightBytes = ByTensorClass<Bytes>;

/// Parameters by class of tensor. A head that is tied to the embedding counts once, as the embedding.
ParameterCount count_parameters(const TransformerModel& model);

/// Parameters that one token is multiplied with: of the routed experts only the active ones, the head always (tied or not),
/// of the embedding nothing (a row is looked up).
ParameterCount active_parameters(const TransformerModel& model);

/// Bytes of the weights in a file or checkpoint of this mix, by class of tensor; those of model.file_weights where the shape came
/// with a file of weights. As with count_parameters(), a tied head counts as the embedding. Extras are 0 in GGUF files, which
/// keep vision towers apart.
WeightBytes weight_bytes(const TransformerModel& model, const WeightMix& mix);

/// Bytes of each layer group's weights (all its layers together), in the order of model.groups.
std::vector<Bytes> group_weight_bytes(const TransformerModel& model, const WeightMix& mix);

/// Bytes of the weights that one decode step of `tokens` tokens reads. Every token draws its `active` experts independently, so
/// of E experts 1 - (1 - active/E)^tokens are expected to be touched (a plain urn; routers favour some experts, so real sets
/// are a little smaller).
WeightBytes weight_bytes_read(const TransformerModel& model, const WeightBytes& weights, double tokens);

/// Multiply-adds (two operations each) of all weights for one token.
Flops matrix_flops_per_token(const TransformerModel& model);

/// The format of matrix number `index` of `count` alike over the depth (0 is nearest to the input) in this mix; never null.
const NumberFormat* matrix_format(const TransformerModel& model, const WeightMix& mix, const Matrix& matrix, int index,
                                  int count);

}  // namespace rigplan
