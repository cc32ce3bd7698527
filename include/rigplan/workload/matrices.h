// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rigplan/workload/model.h"

namespace rigplan {

/// Which part of a model a tensor belongs to: what placement, formats and traffic go by.
enum class TensorClass { attention, recurrent, dense, experts, shared, router, norms, embedding, head, extra };
inline constexpr int tensor_classes = 10;

/// What a matrix does in its layer: quantisers give some of them more bits.
enum class MatrixRole { query, key, value, attention_output, gate, up, down, other };

/// Matrices that are alike. A vector is a matrix with one row.
struct Matrix {
  TensorClass kind{};
  MatrixRole role = MatrixRole::other;
  double columns = 0;  ///< input width: the axis along which blocks and groups lie
  double rows = 0;     ///< output width
  double count = 0;    ///< over the whole model: layers, times experts
  int group = -1;      ///< index of the layer group; -1: outside the layers

  double values() const { return columns * rows * count; }
};

/// Every tensor of the model, layer group by layer group, then embedding and head.
std::vector<Matrix> matrices(const TransformerModel& model);

}  // namespace rigplan
