// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/fit_collectives.h"

#include <ceres/ceres.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "rigplan/validate/errors.h"
#include "validate/collective_terms.h"

namespace rigplan {
namespace {

/// One number that the fit may move: the mean of a term, or the offset of one of its levels.
struct Parameter {
  std::string term, level;  ///< no level: the mean
  double prior = 0, spread = 1;
};

std::vector<Parameter> parameters() {
  std::vector<Parameter> list;
  for (const auto& term : collective_terms()) {
    if (term.spread > 0) list.push_back({std::string{term.name}, "", std::log(term.value), term.spread});
    for (const auto& level : term.levels)
      list.push_back({std::string{term.name}, std::string{level.name}, std::log(level.offset), term.level_spread});
  }
  return list;
}

double& value_of(Calibration& calibration, const Parameter& parameter) {
  auto& term = calibration.terms.find(parameter.term)->second;
  return parameter.level.empty() ? term.log_mean : term.offsets.find(parameter.level)->second;
}

/// Rows that share group, stack and therefore the prepared costs.
struct Table {
  const CollectiveCase* first = nullptr;
  std::vector<const CollectiveCase*> rows;
  double weight = 1;
};

struct CopyRow {
  const CopyCase* row = nullptr;
};

std::string table_key(const CollectiveCase& row) {
  const auto& l = row.links;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", row.system, row.stack, to_text(l.kind), l.cards, l.nodes,
                     l.edge.in(GB_per_s), l.exchange.in(GB_per_s), l.edge_limit.in(GB_per_s), l.network.in(GB_per_s), l.transport,
                     l.architecture, l.old_host);
}

/// Errors beyond this factor count linearly instead of quadratically (pseudo-Huber).
constexpr double robust_width = 0.15;
/// What is expected of a good prediction: residuals are in units of it.
constexpr double expected_error = 0.12;
/// Copies are simpler than collectives, and their measurements agree better.
constexpr double copy_weight = 2;

double robust(double residual) {
  const double x = residual / robust_width;
  return std::copysign(std::sqrt(2 * (std::sqrt(1 + x * x) - 1)), residual) * robust_width / expected_error;
}

/// All residuals as a function of all parameters, with forward differences.
class AllRows final : public ceres::CostFunction {
 public:
  AllRows(const std::vector<Parameter>& list, std::vector<Table> tables, std::vector<CopyRow> copies)
      : list_{list}, tables_{std::move(tables)}, copies_{std::move(copies)}, scratch_{prior_collectives()} {
    std::size_t rows = copies_.size() + list_.size();
    for (const auto& table : tables_) rows += table.rows.size();
    set_num_residuals(static_cast<int>(rows));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(list_.size()));
  }

  bool Evaluate(double const* const* at, double* residuals, double** jacobians) const override {
    std::vector<double> x(at[0], at[0] + list_.size());
    const auto base = residuals_at(x);
    std::copy(base.begin(), base.end(), residuals);
    if (jacobians == nullptr || jacobians[0] == nullptr) return true;
    constexpr double step = 1e-5;
    for (std::size_t p = 0; p < list_.size(); ++p) {
      const double kept = x[p];
      x[p] = kept + step;
      const auto moved = residuals_at(x);
      x[p] = kept;
      for (std::size_t r = 0; r < base.size(); ++r) jacobians[0][r * list_.size() + p] = (moved[r] - base[r]) / step;
    }
    return true;
  }

 private:
  std::vector<double> residuals_at(const std::vector<double>& x) const {
    for (std::size_t p = 0; p < list_.size(); ++p) value_of(scratch_, list_[p]) = x[p];
    std::vector<double> result;
    for (const auto& table : tables_) {
      const auto cost = prepare_library(table.first->links, scratch_, table.first->stack);
      for (const auto* row : table.rows) {
        const auto time = cost.time(row->op, row->size, row->forced).time;
        result.push_back(table.weight * robust(std::log(time / row->measured)));
      }
    }
    for (const auto& copy : copies_)
      result.push_back(copy_weight * robust(std::log(copy_bandwidth(copy.row->link, scratch_) / copy.row->measured)));
    for (std::size_t p = 0; p < list_.size(); ++p) result.push_back((x[p] - list_[p].prior) / list_[p].spread);
    return result;
  }

  const std::vector<Parameter>& list_;
  std::vector<Table> tables_;
  std::vector<CopyRow> copies_;
  mutable Calibration scratch_;
};

std::vector<Table> tables_of(std::span<const MappedRow> rows) {
  std::map<std::string, Table> tables;
  for (const auto& row : rows) {
    const auto* mapped = std::get_if<CollectiveCase>(&row);
    if (mapped == nullptr) continue;
    auto& table = tables[table_key(*mapped)];
    if (table.rows.empty()) table.first = mapped;
    table.rows.push_back(mapped);
  }
  std::vector<Table> list;
  for (auto& [key, table] : tables) {
    // Errors within one table are of one cause: forty rows do not say as much as forty tables.
    table.weight = std::pow(static_cast<double>(table.rows.size()), -0.25);
    list.push_back(std::move(table));
  }
  return list;
}

}  // namespace

const std::string* system_of(const MappedRow& row) {
  if (const auto* collective = std::get_if<CollectiveCase>(&row)) return &collective->system;
  if (const auto* copy = std::get_if<CopyCase>(&row)) return &copy->system;
  return nullptr;
}

double predict_collective(const CollectiveCase& row, const Calibration& calibration) {
  const auto time = prepare_library(row.links, calibration, row.stack).time(row.op, row.size, row.forced).time;
  if (row.rate) return (row.size * ring_share(row.op, row.links.cards) / time).in(GB_per_s);
  return time.in(us);
}

double predict_copy(const CopyCase& row, const Calibration& calibration) {
  return copy_bandwidth(row.link, calibration).in(GB_per_s);
}

Calibration fit_collectives(std::span<const MappedRow> rows, const Calibration* start) {
  const auto list = parameters();
  std::vector<CopyRow> copies;
  for (const auto& row : rows) {
    if (const auto* copy = std::get_if<CopyCase>(&row)) copies.push_back({copy});
  }
  auto result = start != nullptr ? *start : prior_collectives();
  std::vector<double> x;
  for (const auto& parameter : list) x.push_back(value_of(result, parameter));
  ceres::Problem problem;
  problem.AddResidualBlock(new AllRows{list, tables_of(rows), std::move(copies)}, nullptr, x.data());
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.num_threads = 1;
  options.max_num_iterations = start != nullptr ? 12 : 60;
  options.function_tolerance = start != nullptr ? 1e-4 : 1e-6;
  options.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  for (std::size_t p = 0; p < list.size(); ++p) value_of(result, list[p]) = x[p];
  return result;
}

std::vector<LeftOutRow> leave_systems_out(std::span<const MappedRow> rows, const Calibration& full) {
  std::set<std::string> systems;
  for (const auto& row : rows) {
    if (const auto* system = system_of(row)) systems.insert(*system);
  }
  std::vector<LeftOutRow> result;
  for (const auto& system : systems) {
    std::vector<MappedRow> others;
    for (const auto& row : rows) {
      if (const auto* its = system_of(row); its != nullptr && *its != system) others.push_back(row);
    }
    const auto calibration = fit_collectives(others, &full);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto* its = system_of(rows[i]);
      if (its == nullptr || *its != system) continue;
      if (const auto* collective = std::get_if<CollectiveCase>(&rows[i])) {
        const auto cost = prepare_library(collective->links, calibration, collective->stack);
        result.push_back(
            {i, std::log(collective->measured / cost.time(collective->op, collective->size, collective->forced).time)});
      } else if (const auto* copy = std::get_if<CopyCase>(&rows[i])) {
        result.push_back({i, std::log(copy->measured / copy_bandwidth(copy->link, calibration))});
      }
    }
  }
  return result;
}

std::string spread_kind(const GroupLinks& links, Bytes size) {
  const std::string place = links.nodes > 1                                                        ? "nodes"
                            : links.kind == LinkClass::nvswitch || links.kind == LinkClass::nvlink ? "nvlink"
                                                                                                   : "pcie";
  return place + (size < MiB ? "_small" : "_large");
}

std::vector<ResidualSpread> collective_spreads(std::span<const MappedRow> rows, std::span<const LeftOutRow> left_out) {
  std::map<std::string, std::vector<double>> by_kind;
  for (const auto& row : left_out) {
    const auto* collective = std::get_if<CollectiveCase>(&rows[row.row]);
    by_kind[collective != nullptr ? spread_kind(collective->links, collective->size) : "copy"].push_back(row.log_ratio);
  }
  std::vector<ResidualSpread> spreads;
  for (auto& [kind, ratios] : by_kind) {
    // A percentile further out than the 10th and 90th, since systems that come are stranger than those that are here; and no
    // range narrower than 5 % either way.
    spreads.push_back({kind, "known", std::min(-0.05, quantile(ratios, 0.09)), std::max(0.05, quantile(ratios, 0.91)),
                       static_cast<int>(ratios.size())});
  }
  return spreads;
}

}  // namespace rigplan
