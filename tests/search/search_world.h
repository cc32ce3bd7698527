// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/search/rank_builds.h"
#include "rigplan/workload/model_library.h"

namespace rigplan {

/// What the tests of searches share: the built-in catalog and constants, and a question about few cards.
inline const Catalog& whole_catalog() {
  static const auto built_in = read_catalog(built_in_catalog_files());
  return built_in;
}
inline const TransformerModel& known_model(std::string_view id) {
  static ModelLibrary library;
  return *library.find(id);
}
inline const Calibrations& fitted() {
  static const auto all = built_in_calibrations();
  return all;
}

inline Query small_question(const std::vector<std::string>& gpus, int max_cards = 4) {
  Query query;
  query.limits.budget = 40'000 * yuan;
  query.limits.max_cards = max_cards;
  query.schedule = default_schedule(whole_catalog());
  query.gpu_patterns = gpus;
  return query;
}

/// What a build is told by, whatever its figures.
inline std::string name_of(const Candidate& build) {
  return build.gpu + " x " + std::to_string(build.cards) + " in " + build.host + " " + build.attachment + " " + build.quant;
}

}  // namespace rigplan
