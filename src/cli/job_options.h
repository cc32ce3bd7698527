// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "rigplan/search/query.h"

namespace CLI {
class App;
}

namespace rigplan {

/// The options that describe a job, its limits and its schedule, shared by every command that evaluates builds.
struct JobOptions {
  Job job;
  std::string quant, engine, method, kv_format, precision, tariff;  ///< empty: by default of the method
  Limits limits;
  std::string software = "ended";  ///< worst support that will do
  std::optional<Seconds> horizon;
  std::optional<double> hours_per_day, idle_hours_per_day, pue;
};

void add_job_options(CLI::App& app, JobOptions& options);
/// --micro-batch, --checkpointing, --offload: what rigplan plan searches
void add_training_choices(CLI::App& app, JobOptions& options);
/// --budget, --max-cards, --max-watts, --min-tokens-per-s
void add_limit_options(CLI::App& app, JobOptions& options);
/// --horizon, --hours-per-day, --idle-hours, --tariff, --pue
void add_schedule_options(CLI::App& app, JobOptions& options);

/// The question with every default filled in. @throws UsageError for names that the catalog does not know.
Query query_of(const JobOptions& options, const Catalog& catalog);
/// The same for loads that contradict each other, such as a prompt longer than the context.
Query unchecked_query_of(const JobOptions& options, const Catalog& catalog);
/// Sets what a prepared rig can be asked anew: context, users, prompt and generated tokens, limits and schedule.
/// @param defaults default_schedule() of the catalog
/// @return why the question cannot be asked; empty when it can
std::string set_loads(const JobOptions& options, const Catalog& catalog, const WorkSchedule& defaults, Query& query);

}  // namespace rigplan
