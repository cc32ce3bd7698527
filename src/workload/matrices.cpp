// SPDX-License-Identifier: Apache-2.0
#include "rigplan/workload/matrices.h"

namespace rigplan {
namespace {

using enum TensorClass;
using enum MatrixRole;

/// Collects the matrices of one layer group.
struct Collector {
  std::vector<Matrix>& out;
  double hidden;
  double layers;
  int group;

  void add(TensorClass kind, MatrixRole role, double columns, double rows, double count = 1) {
    if (columns > 0 && rows > 0 && count > 0) out.push_back({kind, role, columns, rows, count * layers, group});
  }

  void operator()(const GroupedQuery& a) {
    const double queries = static_cast<double>(a.heads) * a.head_size;
    add(attention, other, hidden, a.query_rank);
    add(attention, query, a.query_rank > 0 ? a.query_rank : hidden, queries * (a.gated_output ? 2 : 1));
    if (!a.shares_kv) {
      add(attention, key, hidden, static_cast<double>(a.kv_heads) * a.head_size);
      if (!a.keys_are_values) add(attention, value, hidden, static_cast<double>(a.kv_heads) * a.value_size);
    }
    const double outputs = static_cast<double>(a.heads) * a.value_size;
    if (a.output_rank > 0) {
      add(attention, other, outputs / a.output_groups, a.output_rank, a.output_groups);
      add(attention, attention_output, static_cast<double>(a.output_rank) * a.output_groups, hidden);
    } else {
      add(attention, attention_output, outputs, hidden);
    }
  }
  void operator()(const SlidingWindow& a) { (*this)(a.heads); }
  void operator()(const Latent& a) {
    const double queries = static_cast<double>(a.heads) * (a.nope_size + a.rope_size);
    if (a.query_rank > 0) {
      add(attention, other, hidden, a.query_rank);
      add(attention, query, a.query_rank, queries);
    } else {
      add(attention, query, hidden, queries);
    }
    add(attention, other, hidden, a.kv_rank + a.rope_size);
    add(attention, other, a.kv_rank, static_cast<double>(a.heads) * (a.nope_size + a.value_size));
    add(attention, attention_output, static_cast<double>(a.heads) * a.value_size, hidden);
    add(attention, other, a.query_rank > 0 ? a.query_rank : hidden, static_cast<double>(a.index_heads) * a.index_size);
    add(attention, other, hidden, a.index_size + a.index_heads);
  }
  void operator()(const Recurrent& a) { add(recurrent, other, hidden, a.parameters / hidden); }

  void operator()(const DenseFeedForward& f) { feed_forward(dense, hidden, f.width, f.gated, 1); }
  void operator()(const MixtureOfExperts& f) {
    feed_forward(experts, f.latent_width > 0 ? f.latent_width : hidden, f.expert_width, f.gated, f.experts);
    feed_forward(shared, hidden, f.shared_width, f.gated, f.shared_experts);
    add(shared, other, hidden, f.latent_width, 2);
    add(router, other, hidden, f.experts);
  }
  void operator()(const NoFeedForward&) {}

  void feed_forward(TensorClass kind, double input, double width, bool gated, double count) {
    if (gated) add(kind, gate, input, width, count);
    add(kind, up, input, width, count);
    add(kind, down, width, input, count);
  }
};

}  // namespace

std::vector<Matrix> matrices(const TransformerModel& model) {
  std::vector<Matrix> out;
  const double hidden = model.hidden;
  for (std::size_t i = 0; i < model.groups.size(); ++i) {
    const auto& group = model.groups[i];
    Collector collect{out, hidden, static_cast<double>(group.count), static_cast<int>(i)};
    std::visit(collect, group.attention);
    std::visit(collect, group.feed_forward);
    // One norm before the attention and one before the feed-forward; layers without either have one.
    collect.add(norms, other, hidden, std::holds_alternative<NoFeedForward>(group.feed_forward) ? 1 : 2);
  }
  out.push_back({norms, other, hidden, 1, 1, -1});
  out.push_back({embedding, other, hidden, static_cast<double>(model.vocabulary), 1, -1});
  if (model.lookup_parameters > 0) out.push_back({embedding, other, hidden, model.lookup_parameters / hidden, 1, -1});
  if (!model.tied_embeddings) out.push_back({head, other, hidden, static_cast<double>(model.vocabulary), 1, -1});
  if (model.extra_parameters > 0) out.push_back({extra, other, hidden, model.extra_parameters / hidden, 1, -1});
  return out;
}

}  // namespace rigplan
