// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/fit.h"

#include <ceres/ceres.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace rigplan {
namespace {

constexpr double cauchy_scale = 2.5;  ///< in noises
constexpr double step = 1e-4;         ///< of central differences, in log units

double to_four_places(double value) { return std::round(value * 1e4) / 1e4 + 0.0; }

/// The log constants that a row uses: for each term its mean and the offsets of the row's levels.
struct Parameters {
  std::vector<double> means;
  std::vector<std::map<std::string, double, std::less<>>> offsets;  ///< by term
};

const LevelPrior* prior_of(const FitTerm& term, std::string_view level) {
  const auto kind = level_kind(level);
  for (const auto& prior : term.levels)
    if (prior.kind == kind && (prior.level.empty() || prior.level == level)) return &prior;
  return nullptr;
}

/// log(predicted / measured) over the noise, as a function of the parameters that the row uses, each a block of its own.
class RowCost : public ceres::CostFunction {
 public:
  RowCost(const FitRow& row, std::vector<int> term_of_block, std::vector<double> fixed, double noise)
      : row_{row}, term_of_block_{std::move(term_of_block)}, fixed_{std::move(fixed)}, noise_{noise} {
    set_num_residuals(1);
    mutable_parameter_block_sizes()->assign(term_of_block_.size(), 1);
  }

  bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
    auto logs = fixed_;
    for (std::size_t b = 0; b < term_of_block_.size(); ++b) logs[static_cast<std::size_t>(term_of_block_[b])] += parameters[b][0];
    residuals[0] = error(logs);
    if (!std::isfinite(residuals[0])) return false;
    if (!jacobians) return true;
    std::vector<double> slope(logs.size(), 0);
    std::vector<bool> done(logs.size(), false);
    for (std::size_t b = 0; b < term_of_block_.size(); ++b) {
      const auto t = static_cast<std::size_t>(term_of_block_[b]);
      if (!done[t]) {
        const double at = logs[t];
        logs[t] = at + step;
        const double above = error(logs);
        logs[t] = at - step;
        slope[t] = (above - error(logs)) / (2 * step);
        logs[t] = at;
        done[t] = true;
      }
      if (jacobians[b]) jacobians[b][0] = slope[t];
    }
    return true;
  }

 private:
  double error(const std::vector<double>& logs) const {
    std::vector<double> values(logs.size());
    std::ranges::transform(logs, values.begin(), [](double x) { return std::exp(x); });
    return std::log(row_.predict(values) / row_.row->value) / noise_;
  }

  const FitRow& row_;
  std::vector<int> term_of_block_;
  std::vector<double> fixed_;
  double noise_;
};

/// (value - expected) / spread.
class PriorCost : public ceres::SizedCostFunction<1, 1> {
 public:
  PriorCost(double expected, double spread) : expected_{expected}, spread_{spread} {}
  bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
    residuals[0] = (parameters[0][0] - expected_) / spread_;
    if (jacobians && jacobians[0]) jacobians[0][0] = 1 / spread_;
    return true;
  }

 private:
  double expected_, spread_;
};

Parameters start_of(std::span<const FitTerm> terms, std::span<const FitRow> rows) {
  Parameters start;
  for (const auto& term : terms) start.means.push_back(std::log(term.expected));
  start.offsets.resize(terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t)
    for (const auto& prior : terms[t].levels)
      if (!prior.level.empty()) start.offsets[t].emplace(prior.level, std::log(prior.factor));
  for (const auto& row : rows)
    for (const auto& level : row.levels)
      for (std::size_t t = 0; t < terms.size(); ++t)
        if (prior_of(terms[t], level)) start.offsets[t].emplace(level, 0);
  return start;
}

void add_row(ceres::Problem& problem, const FitRow& row, std::span<const FitTerm> terms, Parameters& parameters,
             const FitOptions& options) {
  std::vector<double*> blocks;
  std::vector<int> term_of_block;
  std::vector<double> fixed(terms.size(), 0);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (terms[t].freedom > 0) {
      blocks.push_back(&parameters.means[t]);
      term_of_block.push_back(static_cast<int>(t));
    } else {
      fixed[t] = parameters.means[t];
    }
    for (const auto& level : row.levels) {
      const auto offset = parameters.offsets[t].find(level);
      if (offset == parameters.offsets[t].end()) continue;
      blocks.push_back(&offset->second);
      term_of_block.push_back(static_cast<int>(t));
    }
  }
  ceres::LossFunction* shape = nullptr;
  if (options.cauchy)
    shape = new ceres::CauchyLoss(cauchy_scale);
  else
    shape = new ceres::SoftLOneLoss(1.0);
  auto* loss = new ceres::ScaledLoss(shape, row.weight, ceres::TAKE_OWNERSHIP);
  problem.AddResidualBlock(new RowCost(row, term_of_block, fixed, options.noise), loss, blocks);
}

void add_priors(ceres::Problem& problem, std::span<const FitTerm> terms, Parameters& parameters) {
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (terms[t].freedom > 0)
      problem.AddResidualBlock(new PriorCost(std::log(terms[t].expected), terms[t].freedom), nullptr, &parameters.means[t]);
    for (auto& [level, offset] : parameters.offsets[t]) {
      const auto& prior = *prior_of(terms[t], level);
      problem.AddResidualBlock(new PriorCost(std::log(prior.factor), prior.spread), nullptr, &offset);
    }
  }
}

Parameters solve(std::span<const FitTerm> terms, std::span<const FitRow> rows, const FitOptions& options) {
  auto parameters = start_of(terms, rows);
  ceres::Problem problem;
  for (const auto& row : rows) add_row(problem, row, terms, parameters, options);
  add_priors(problem, terms, parameters);
  ceres::Solver::Options solver;
  solver.linear_solver_type = ceres::SPARSE_NORMAL_CHOLESKY;
  solver.num_threads = 1;
  solver.max_num_iterations = options.iterations;
  solver.function_tolerance = 1e-5;
  solver.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(solver, &problem, &summary);
  if (!summary.IsSolutionUsable()) throw std::runtime_error{"the fit found no solution: " + summary.message};
  return parameters;
}

}  // namespace

std::string level_kind(std::string_view level) {
  std::string kind;
  while (true) {
    const auto bar = level.find('|');
    const auto part = level.substr(0, bar);
    kind += part.substr(0, part.find(':'));
    if (bar == level.npos) return kind;
    kind += '|';
    level.remove_prefix(bar + 1);
  }
}

Calibration fit_calibration(std::string_view family, std::span<const FitTerm> terms, std::span<const FitRow> rows,
                            std::span<const std::string_view> known_kinds, const FitOptions& options) {
  const auto parameters = solve(terms, rows, options);
  Calibration calibration;
  calibration.family = family;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    FittedTerm term{terms[t].name, terms[t].unit, to_four_places(parameters.means[t]), 0, {}};
    for (const auto& level : terms[t].levels) term.log_spread = std::max(term.log_spread, level.spread);
    for (const auto& [level, offset] : parameters.offsets[t])
      if (std::abs(offset) >= 5e-4) term.offsets.emplace(level, to_four_places(offset));
    calibration.terms.emplace(terms[t].name, std::move(term));
  }
  for (const auto& row : rows)
    for (const auto& level : row.levels)
      if (std::ranges::find(known_kinds, level_kind(level)) != known_kinds.end()) calibration.known.insert(level);
  return calibration;
}

double predict_with(const Calibration& calibration, std::span<const FitTerm> terms, const FitRow& row) {
  std::vector<double> values;
  for (const auto& term : terms) values.push_back(calibration.value(term.name, row.levels));
  return row.predict(values);
}

std::vector<HeldOut> cross_validate(std::string_view family, std::span<const FitTerm> terms, std::span<const FitRow> rows,
                                    std::span<const std::string_view> known_kinds,
                                    const std::function<std::string(const Measurement&)>& key, int folds,
                                    const std::function<std::string(const Calibration&, const FitRow&)>& distance,
                                    const FitOptions& options, std::span<const FitRow> asked) {
  std::map<std::string, std::vector<const FitRow*>> groups;
  for (const auto& row : rows) groups[key(*row.row)].push_back(&row);
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, members] : groups) {
    double weight = 0;
    for (const auto* row : members) weight += row->weight;
    order.emplace_back(weight, name);
  }
  std::ranges::stable_sort(order, std::greater{}, &std::pair<double, std::string>::first);
  std::vector<std::vector<std::string>> parts(static_cast<std::size_t>(std::max(folds, 2)));
  std::vector<double> filled(parts.size(), 0);
  for (const auto& [weight, name] : order) {
    const auto least = static_cast<std::size_t>(std::ranges::min_element(filled) - filled.begin());
    parts[least].push_back(name);
    filled[least] += weight;
  }
  std::vector<HeldOut> held_out;
  for (const auto& part : parts) {
    const auto is_out = [&](const FitRow& row) { return std::ranges::find(part, key(*row.row)) != part.end(); };
    std::vector<FitRow> kept;
    for (const auto& row : rows)
      if (!is_out(row)) kept.push_back(row);
    if (part.empty() || kept.empty()) continue;
    const auto calibration = fit_calibration(family, terms, kept, known_kinds, options);
    for (const auto both : {rows, asked})
      for (const auto& row : both)
        if (is_out(row)) held_out.push_back({&row, predict_with(calibration, terms, row), distance(calibration, row)});
  }
  return held_out;
}

void weigh_by_cluster(std::span<FitRow> rows, const std::function<std::string(const Measurement&)>& cluster, double power) {
  std::map<std::string, int> sizes;
  for (const auto& row : rows) ++sizes[cluster(*row.row)];
  for (auto& row : rows) row.weight = std::pow(sizes[cluster(*row.row)], -power);
}

}  // namespace rigplan
