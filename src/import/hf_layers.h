// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "import/hf_fields.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// The attention of each layer, in order. Lines are added to `assumed` for what the file leaves open.
std::vector<Attention> read_hf_attention(const HfFields& fields, int layers, int hidden, std::vector<std::string>& assumed);

/// The feed-forward of each layer, in order.
std::vector<FeedForward> read_hf_feed_forward(const HfFields& fields, int layers, std::vector<std::string>& assumed);

/// Neighbouring and distant layers that are alike become one group, in the order of their first layer.
std::vector<LayerGroup> group_layers(const std::vector<Attention>& attention, const std::vector<FeedForward>& feed_forward);

/// The kinds of a Nemotron-H pattern ("M", "*", "-", "E"), one a block; empty when the file has none.
std::string read_hf_pattern(const HfFields& fields, int layers);

}  // namespace rigplan
