// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "rigplan/validate/errors.h"
#include "rigplan/validate/serve_row.h"

using namespace rigplan;

static const Catalog& catalog() {
  static const auto all = read_catalog(built_in_catalog_files());
  return all;
}

TEST_CASE("a serving row says tensor-parallel degree, load and lengths") {
  const auto row =
      read_measurements("row.csv",
                        "id,kind,gpu,gpu_count,parallel,engine,model,quant,batch,prompt,generate,metric,value,note\n"
                        "a,serve,h200-sxm-141gb,4,tp2pp1dp2moetp1ep4,vllm 0.18.0,Qwen/Qwen3-235B-A22B-FP8,fp8_block,16,"
                        "1000,500,tpot_ms,20,measured ; concurrency 16\n")
          .front();
  const auto mapped = map_serve_row(row, catalog());
  const auto* question = std::get_if<ServeRow>(&mapped);
  REQUIRE(question);
  CHECK(question->setup.tensor == 2);
  CHECK(question->setup.groups == 2);
  CHECK(question->users == 16);
  CHECK(question->prompt.in(token) == 1000);
  CHECK(question->setup.model.expert_class == "fp8");
}

TEST_CASE("a dated campaign and a number of users that was not set keep a steady load; others start together") {
  const auto together = [](const std::string& users, const std::string& note) {
    const auto row =
        read_measurements("row.csv",
                          "id,kind,gpu,gpu_count,parallel,engine,model,quant,batch,prompt,generate,metric,value,note\n"
                          "a,serve,h200-sxm-141gb,4,tp4,sglang 0.5.1,Qwen/Qwen3-32B,fp8," +
                              users + ",1000,500,tpot_ms,20," + note + "\n")
            .front();
    return std::get<ServeRow>(map_serve_row(row, catalog())).setup.starts_together;
  };
  CHECK(together("16", ""));
  CHECK(together("16", "measured ; concurrency 16"));
  CHECK_FALSE(together("240", ""));
  CHECK_FALSE(together("16", "measured 2026-03-27; InferenceX"));
}

TEST_CASE("serving rows of the reference set are predicted within the promised errors") {
  std::ifstream in{RIGPLAN_SOURCE_DIR "/../shared/truth/serving.csv"};
  std::stringstream text;
  text << in.rdbuf();
  if (text.str().empty()) return;
  const auto rows = read_measurements("serving.csv", text.str());
  const auto calibration = built_in_calibration("serving");
  const auto predictor = serve_predictor(catalog(), calibration);
  std::map<std::string, ErrorSummary> errors;
  for (auto& summary : summarize(predict_rows(rows, std::span{&predictor, 1}))) errors[summary.metric] = summary;
  const auto check = [&](const char* metric, double median, double p90) {
    const auto& e = errors.at(metric);
    INFO(metric << ": median " << *e.median_abs_error << ", 90 % " << *e.p90_abs_error);
    CHECK(*e.median_abs_error <= median);
    CHECK(*e.p90_abs_error <= p90);
    CHECK(e.predicted >= 0.95 * e.rows);
  };
  check("tpot_ms", 0.075, 0.23);
  check("ttft_ms", 0.25, 0.62);
}
