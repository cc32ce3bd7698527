// SPDX-License-Identifier: Apache-2.0
// An explanation goes down to figures with a source, and its leaves give back the figures above them.
#include "rigplan/report/explain.h"

#include <catch2/catch.hpp>

#include <cmath>

#include "rigplan/search/estimate_rig.h"
#include "rigplan/workload/model_library.h"

using namespace rigplan;

namespace {

struct Explained {
  Candidate candidate;
  Term tree;
};

Explained explained(const char* gpu, int count, Job job) {
  static const Catalog catalog = read_catalog(built_in_catalog_files());
  static const Calibrations calibrations = built_in_calibrations();
  ModelLibrary library;
  const auto& model = *library.find(job.model);
  Query query;
  query.job = std::move(job);
  query.schedule = default_schedule(catalog);
  const Evaluator evaluator{catalog, model, calibrations, query};
  const auto rig = rig_of(catalog, gpu, count, "");
  auto candidate = estimate_rig(evaluator, {rig, rig.nodes.front().board, ""}).candidate;
  auto tree = explain_candidate(candidate, query, model, catalog, calibrations);
  return {std::move(candidate), std::move(tree)};
}

Job decode_job() {
  Job job;
  job.model = "qwen2.5-14b";
  job.weight_format = "Q4_K_M";
  return job;
}

const Term* find_term(const Term& term, std::string_view name) {
  if (term.name == name) return &term;
  for (const auto& part : term.parts)
    if (const auto* found = find_term(part, name)) return found;
  return nullptr;
}

void each_leaf(const Term& term, const auto& look) {
  if (term.parts.empty()) look(term);
  for (const auto& part : term.parts) each_leaf(part, look);
}

}  // namespace

TEST_CASE("what was fitted is explained by its value and by the rows behind the fit") {
  const auto job = [] {
    Job training = decode_job();
    training.kind = JobKind::qlora;
    training.engine = "pytorch";
    training.weight_format = "NF4";
    return training;
  };
  for (const auto& tree : {explained("rx-7900-xtx", 2, decode_job()).tree, explained("rx-7900-xtx", 1, job()).tree}) {
    int fitted = 0;
    each_leaf(tree, [&](const Term& leaf) {
      if (leaf.kind != "fitted") return;
      ++fitted;
      CAPTURE(leaf.name, leaf.value);
      CHECK(leaf.value.find_first_of("0123456789") != std::string::npos);
      const bool is_spread = leaf.value.find("–") != std::string::npos;
      CHECK(leaf.formula.starts_with(is_spread ? "holds 80 %" : "exp("));
      CHECK(leaf.sources.size() == 1);
      CHECK(leaf.file.starts_with("data/calibration/"));
    });
    CHECK(fitted >= 10);
  }
}

TEST_CASE("the leaves of a decode step give back its time of reading weights") {
  // Tensor parallel over two cards: each reads half of the weights, at the share of 960 GB/s that the leaf states.
  const auto two = explained("rx-7900-xtx", 2, decode_job());
  REQUIRE(two.candidate.best.plan.tensor == 2);
  const auto* share = find_term(two.tree, "bandwidth_share");
  REQUIRE(share);
  const double reached = std::stod(share->value);
  CHECK(reached > 0.5);
  CHECK(reached < 1);
  const auto expected = two.candidate.best.weights / 2 / (reached * 960 * GB_per_s);
  CHECK(two.candidate.best.inference->parts.weights.in(ms) == Approx(expected.in(ms)).epsilon(0.01));
}
