// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "rigplan/json/value.h"
#include "rigplan/validate/errors.h"
#include "rigplan/validate/fit_speed.h"

using namespace rigplan;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in{std::string{RIGPLAN_SOURCE_DIR} + "/" + path};
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

const Catalog& catalog() {
  static const auto all = read_catalog(built_in_catalog_files());
  return all;
}
const std::vector<Measurement>& shipped() {
  static const auto rows = read_measurements("data/measurements/speed.csv", text_of("data/measurements/speed.csv"));
  return rows;
}
SpeedRow understood(const std::string& columns, const std::string& values) {
  static std::vector<std::vector<Measurement>> kept;
  kept.push_back(read_measurements("row.csv", columns + "\n" + values + "\n"));
  const auto mapped = map_speed_row(kept.back().front(), catalog());
  REQUIRE(std::holds_alternative<SpeedRow>(mapped));
  return std::get<SpeedRow>(mapped);
}

}  // namespace

TEST_CASE("a row says engine, date, split, micro-batch, power cap and fused attention in its own words") {
  const auto row = understood("kind,gpu,gpu_count,parallel,engine,engine_date,model,quant,batch,context,prompt,metric,value,note",
                              "prefill,rtx-3090,2,layer,LM Studio,b9415 vulkan,Qwen/Qwen3-8B,Q4_K_M,1,0,2048,tokens_per_s,1000,"
                              "power limit 250 W; n_ubatch 1024; fa 1");
  CHECK(row.job.engine == "llama.cpp-vulkan");
  CHECK(row.job.engine_date >= "2026-01");
  CHECK(row.plan.split == SplitMode::layer);
  CHECK(row.job.micro_batch == 1024);
  CHECK(row.card.power_cap == 250 * watt);
  CHECK(row.job.flash_attention);
  CHECK(row.quantity == SpeedQuantity::prefill);
}
TEST_CASE("a decode rate over n generated tokens is taken at half of them behind the context") {
  const auto row = understood("kind,gpu,engine,model,quant,batch,context,generate,metric,value",
                              "decode,rtx-4090,llama.cpp-cuda,llama-3-8b,Q4_K_M,1,1000,512,tokens_per_s,100");
  CHECK(row.depth == 1256);
}
TEST_CASE("a date, a build number or a version states the build; a report states none, whatever day it was written on") {
  const std::string columns = "kind,gpu,engine,engine_date,model,quant,metric,value";
  const auto row = [&](const std::string& kind, const std::string& engine, const std::string& date) {
    return understood(columns, fmt::format("{},rtx-4090,{},{},llama-3-8b,Q4_K_M,tokens_per_s,100", kind, engine, date));
  };
  CHECK(row("decode", "llama.cpp", "2024-05").build_stated);
  CHECK(row("decode", "llama.cpp b9415 cuda", "").build_stated);
  CHECK(row("decode", "vllm", "0.17.0rc1").build_stated);
  CHECK_FALSE(row("decode", "llama.cpp", "").build_stated);
  CHECK_FALSE(row("report", "llama.cpp", "2024-05").build_stated);
  CHECK(row("report", "llama.cpp", "2024-05").job.engine_date.empty());
}
TEST_CASE("a model that is not known is a reason, not a guess") {
  const auto rows =
      read_measurements("row.csv", "kind,gpu,model,quant,metric,value\ndecode,rtx-4090,unheard-of-9b,Q4_K_M,tokens_per_s,1\n");
  CHECK(std::get<Skipped>(map_speed_row(rows.front(), catalog())).reason == "unknown model");
}
TEST_CASE("at least 95 % of the shipped decode and prefill rows are understood, and predictions hold the figures reached") {
  const RowPredictor predictors[] = {speed_predictor(catalog(), built_in_calibration("speed"))};
  const auto predicted = predict_rows(shipped(), predictors);
  for (const auto& s : summarize(predicted)) {
    CAPTURE(s.kind);
    CHECK(s.predicted >= 0.95 * s.rows);
    // Figures of the fit to its own rows, with little room: what cross-validation gives stands in README.md.
    if (s.kind == "decode") CHECK((*s.median_abs_error < 0.06 && *s.p90_abs_error < 0.25));
    if (s.kind == "prefill") CHECK((*s.median_abs_error < 0.12 && *s.p90_abs_error < 0.50));
    if (s.kind == "serve") CHECK((*s.median_abs_error < 0.15 && *s.p90_abs_error < 0.40));
    CHECK(*s.range_80_coverage > 0.70);
  }
}
// Fits all shipped rows of speed and serving, and the ranges to the reports, as README.md's command does: seconds in a release
// build, minutes in a debug build.
TEST_CASE("the shipped constants of speed are what the shipped rows give", "[.refit-speed]") {
  auto rows = shipped();
  for (const std::string file : {"data/measurements/serving.csv", "data/measurements/reports.csv"})
    for (auto& row : read_measurements(file, text_of(file))) rows.push_back(std::move(row));
  std::erase_if(rows, [](const Measurement& row) { return !is_speed_row(row); });
  const auto fitted = to_json_text(calibration_to_json(fit_speed(rows, catalog()))) + "\n";
  CHECK((fitted == text_of("data/calibration/speed.json")));
}
