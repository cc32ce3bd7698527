// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/session.h"
#include "cli/sweep_plan.h"
#include "rigplan/report/sweep_row.h"
#include "rigplan/search/prepared_rig.h"

namespace rigplan {

/// What the threads of a sweep share: read once, before they start.
class SweepWorld {
 public:
  SweepWorld(const Session& session, const SweepPlan& plan);

  const Session& session() const { return session_; }
  const SweepPlan& plan() const { return plan_; }
  const Calibrations& calibrations() const { return calibrations_; }
  const PriceBook& prices() const { return prices_; }
  /// What model_of() gives, read once for each model, format and method.
  const TransformerModel& model(JobOptions& options) const;
  /// The text of a rig file, read when it is first asked for.
  const std::string& rig_text(const std::string& path) const;

 private:
  const Session& session_;
  const SweepPlan& plan_;
  Calibrations calibrations_;
  PriceBook prices_;
  struct KnownModel {
    TransformerModel model;
    std::string quant;  ///< what the model's file states, or what was asked for
  };
  mutable std::mutex guard_;
  mutable std::map<std::string, KnownModel> models_;
  mutable std::map<std::string, std::string> rig_texts_;
};

/// The rig that an input describes, with the changes of its file. @throws DataError, UsageError
Rig rig_of_input(const SweepInput& input, const Catalog& catalog, const SweepWorld& world);

/// Computes points one after another; the nearer two points lie, the less is done anew. For one thread.
class SweepPoints {
 public:
  explicit SweepPoints(const SweepWorld& world);
  ~SweepPoints();
  SweepPoints(const SweepPoints&) = delete;
  SweepPoints& operator=(const SweepPoints&) = delete;
  /// A point that cannot be computed becomes a row with the reason.
  void compute(std::int64_t point, SweepRow& row);

 private:
  struct Prepared;
  using Key = std::vector<std::int64_t>;

  void move_to(std::int64_t point, SweepRow& row);
  Prepared& prepared();
  std::unique_ptr<Prepared> prepare() const;
  void use_prices(Prepared& prepared);

  const SweepWorld& world_;
  SweepInput input_;
  std::size_t columns_;
  std::vector<std::int64_t> at_, before_;
  Key rig_key_;
  bool rig_moved_ = true, price_moved_ = true;
  std::string fault_;
  std::list<std::pair<Key, std::unique_ptr<Prepared>>> kept_;  ///< latest used first
};

}  // namespace rigplan
