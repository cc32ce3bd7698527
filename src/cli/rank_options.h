// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/job_options.h"
#include "cli/result_output.h"
#include "rigplan/report/ranking.h"

namespace rigplan {

/// The options of rigplan rank.
struct RankOptions {
  JobOptions job;
  std::vector<std::string> gpus, coolings;
  bool used = false, fresh = false;
  std::string by, pareto, why_not;
  RankingView view;
  ResultOptions result;
  int explain = 0, machines = 1;
  bool flip = false;
};

void define_rank_options(CLI::App& app, RankOptions& options);

/// The questions that the options ask, one for each number format and engine of the lists. @throws UsageError
std::vector<Query> questions_of(const RankOptions& options, const Catalog& catalog);
/// The measures of --pareto; empty when it is not given. @throws UsageError
std::vector<RankBy> pareto_measures(const RankOptions& options);

}  // namespace rigplan
