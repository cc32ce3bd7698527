// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"
#include "rigplan/workload/attention.h"

namespace rigplan {

struct DenseFeedForward {
  int width = 0;
  bool gated = true;  ///< three matrices (gate, up, down); false: two
  bool operator==(const DenseFeedForward&) const = default;
};

/// A mixture of experts; every expert is gated unless said otherwise.
struct MixtureOfExperts {
  int experts = 0, active = 0;  ///< routed experts, and how many of them a token uses
  int expert_width = 0;
  int shared_experts = 0;  ///< always used, besides the routed ones
  int shared_width = 0;    ///< of one shared expert
  bool gated = true;
  int latent_width = 0;  ///< routed experts work on a vector compressed to this width; 0: on the hidden state
  bool operator==(const MixtureOfExperts&) const = default;
};

struct NoFeedForward {
  bool operator==(const NoFeedForward&) const = default;
};
using FeedForward = std::variant<DenseFeedForward, MixtureOfExperts, NoFeedForward>;

/// Layers that are alike. Where kinds alternate, each kind is one group; formulas spread groups evenly over the depth.
struct LayerGroup {
  int count = 0;
  Attention attention;
  FeedForward feed_forward;
  bool operator==(const LayerGroup&) const = default;
};

/// The shape of a transformer: enough to count its weights, operations and caches; nothing of hardware or number formats.
struct TransformerModel : Entry {
  int hidden = 0;
  int vocabulary = 0;
  bool tied_embeddings = false;  ///< output head and input embedding are one matrix
  std::vector<LayerGroup> groups;
  int native_context = 0;                   ///< tokens it was trained for; 0: unknown
  std::string published_format;             ///< the only format it is published in, where quantisers leave it alone: \"MXFP4\"
  int draft_layers = 0;                     ///< that only propose tokens for the others to check; no part of the groups
  double extra_parameters = 0;              ///< vision towers and other parts outside the layers; upper bound
  double lookup_parameters = 0;             ///< tables read by row beside the embedding: per-layer embeddings, n-gram tables
  std::optional<double> stated_parameters;  ///< as published; the shape decides, this is for checks
  std::optional<double> stated_active_parameters;
  std::vector<Bytes> file_weights;  ///< exact bytes of the file that the shape was read from, by TensorClass; empty: the format's
  std::vector<std::string> assumed;  ///< what the file did not say and was assumed, one sentence each

  int layers() const {
    int n = 0;
    for (const auto& group : groups) n += group.count;
    return n;
  }
};

}  // namespace rigplan
