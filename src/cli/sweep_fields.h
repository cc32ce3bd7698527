// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/job_options.h"
#include "rigplan/catalog/catalog.h"

namespace rigplan {

/// Everything that a point of a sweep is computed from.
struct SweepInput {
  JobOptions job;
  std::string rig, gpu, board;  ///< a rig file, or a card and a board
  int cards = 1;
  std::vector<std::pair<std::string, std::string>> rig_changes;  ///< JSON pointer into the rig file, and the value there
  std::vector<Override> catalog_changes;                         ///< of anything but prices
  std::vector<Override> prices;                                  ///< "gpus.some-card.price"
};

/// What must be made anew when a field changes.
enum class FieldReach {
  load,   ///< nothing: a prepared rig answers
  price,  ///< the bill
  rig,    ///< rig, model or catalog
};

/// A field that an axis can run over.
struct SweepField {
  std::string name;
  FieldReach reach = FieldReach::load;
  bool counts_tokens = false;
  bool (*set)(SweepInput&, const std::string& text, std::string& fault) = nullptr;  ///< nullptr: a path
};

/// The field called `name`: a name of rigplan sweep --help, a pointer into the rig file ("/nodes/0/count"), or a path into the
/// catalog ("gpus.mi50-32gb.price"). @throws UsageError with the nearest name
SweepField find_sweep_field(const std::string& name);
bool is_token_field(std::string_view name);
std::vector<std::string> sweep_field_names();

/// Sets a field. @return what is wrong with the text; empty when nothing is
std::string set_sweep_field(const SweepField& field, const std::string& text, SweepInput& input);

}  // namespace rigplan
