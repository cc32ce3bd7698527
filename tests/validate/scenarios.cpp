// SPDX-License-Identifier: Apache-2.0
// Rates that owners of real rigs reported, and the seeds' tables, against the ranges that the planner gives.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <iostream>

#include "rigplan/validate/fit_speed.h"
#include "rigplan/workload/kv_cache.h"
#include "rigplan/workload/parameters.h"
#include "validate/shipped_rows.h"

using namespace rigplan;

namespace {

/// One reported rate as a row of the measurement format, and the drafts that were used.
struct Report {
  const char* scenario;
  const char* row;
  Speculation drafts = {};
};

constexpr auto report_columns =
    "kind,gpu,gpu_count,nodes,link,parallel,engine,engine_date,model,quant,batch,context,metric,value\n";

/// Scenarios of ../shared/users/scenarios.json whose rate is measured on cards that the catalog knows, alike, without experts in
/// host memory, and with the setting that the rate depends on. Left out: a bound instead of a measurement (4xt10-pex8796), drafts
/// of unstated acceptance (2x3090-x99-dual), cards of two kinds (v100-plus-4080, rpc-100mbit-a6000-3090), experts in host memory
/// (rpc-12xa5000). A drafting layer of the model itself costs about a twentieth of a pass. Mistral Medium 3.5 and Qwen3.8 are
/// asked with the dense shapes of nearest size.
constexpr Report reports[] = {
    {"seed-2x7900xtx-x670e", "decode,rx-7900-xtx,1,1,,single,llama.cpp,,qwen2.5-7b,Q4_K_M,1,0,tokens_per_s,80"},
    {"seed-2x7900xtx-x670e", "decode,rx-7900-xtx,1,1,,single,llama.cpp,,qwen2.5-14b,Q4_K_M,1,0,tokens_per_s,40"},
    {"seed-2x7900xtx-x670e", "decode,rx-7900-xtx,1,1,,single,llama.cpp,,qwen2.5-32b,Q4_K_M,1,0,tokens_per_s,17.5"},
    {"3xmi50-70b-3140cny", "decode,mi50-16gb,3,1,PCIe 3.0,row,llama.cpp,2025-01,llama-3.3-70b,Q4_K_S,1,0,tokens_per_s,12.58"},
    {"3xmi50-70b-3140cny", "decode,mi50-16gb,3,1,PCIe 3.0,layer,llama.cpp,2025-01,qwen2.5-72b,Q4_K_S,1,0,tokens_per_s,9.85"},
    {"3xmi50-70b-3140cny", "decode,mi50-16gb,3,1,PCIe 3.0,row,llama.cpp,2025-01,qwen2.5-32b,Q4_K_S,1,0,tokens_per_s,20.65"},
    {"3xmi50-70b-3140cny", "decode,mi50-16gb,1,1,,single,llama.cpp,2025-01,mistral-nemo-12b,Q8_0,1,0,tokens_per_s,35.92"},
    {"2xmi50-27b-mtp",
     "decode,mi50-32gb,2,1,PCIe 3.0 x16,layer,llama.cpp,,qwen3.6-27b,Q8_0,1,0,tokens_per_s,28.3",
     {2, 0.766, 0.05}},
    {"4xmi50-35b-a3b-tp4", "decode,mi50-32gb,4,1,,tensor,vllm,,qwen3.6-35b-a3b,F16,1,0,tokens_per_s,32"},
    {"2xmi60-qwq", "decode,mi60,2,1,,tensor,vllm,2025-04,qwen2.5-32b,GPTQ-4bit,1,0,tokens_per_s,35"},
    {"4xmi100-tp4", "decode,mi100,4,1,xGMI bridge,tensor,vllm,2026-04,qwen3.6-35b-a3b,GPTQ-8bit,1,0,tokens_per_s,92"},
    {"4xmi100-tp4", "serve,mi100,4,1,xGMI bridge,tensor,vllm,2026-04,qwen3.6-35b-a3b,GPTQ-8bit,128,0,tokens_per_s,1365.9"},
    {"p40-guide-x3", "decode,p40,1,1,,single,llama.cpp,,llama-2-7b,Q4_0,1,0,tokens_per_s,40.9"},
    {"p40-guide-x3", "decode,p40,1,1,,single,llama.cpp,,qwen2.5-14b,Q4_K_M,1,0,tokens_per_s,15.7"},
    {"p40-guide-x3", "decode,p40,1,1,,single,llama.cpp,,qwen3-30b-a3b,Q4_K_M,1,0,tokens_per_s,29.3"},
    {"2xp40-27b-mtp", "decode,p40,2,1,no p2p,layer,llama.cpp,2026-08,qwen3.6-27b,Q5_K_M,1,0,tokens_per_s,11.7"},
    {"8xp6000", "decode,p6000,8,1,,layer,llama.cpp,2024-02,mistral-7b,Q5_K_M,1,0,tokens_per_s,40"},
    {"4x3090-x399-gen2x4",
     "decode,rtx-3090,4,1,PCIe 3.0 x8,tensor,llama.cpp,2026-05,mistral-large-123b,Q4_K_M,1,0,tokens_per_s,24.7"},
    {"egpu-oculink-4090", "decode,rtx-4090,1,1,,single,llama.cpp,,llama-3.1-8b,Q4_K_M,1,0,tokens_per_s,142"},
    {"runpod-table-70b", "decode,rtx-3090,2,1,,layer,llama.cpp,2024-05,llama-3-70b,Q4_K_M,1,0,tokens_per_s,16.29"},
    {"runpod-table-70b", "decode,rtx-3090,1,1,,single,llama.cpp,2024-05,llama-3-8b,Q4_K_M,1,0,tokens_per_s,111.7"},
    {"rpc-gigabit-2024", "decode,gtx-1660-6gb,1,1,,single,llama.cpp,2024-05,tinyllama-1.1b,F16,1,0,tokens_per_s,63"},
    {"32xl40s-one-nic", "decode,l40s,32,4,RDMA,tp32,sglang,,deepseek-r1,INT8,1,0,tokens_per_s,49"},
    {"10xada-405b-tp", "decode,rtx-6000-ada,8,1,PCIe 4.0 x16,tensor,exllamav2,,llama-3.1-405b,GPTQ-4bit,1,0,tokens_per_s,8.7"},
};

struct Answered {
  std::string scenario, question;
  double measured = 0;
  Prediction range;
  bool inside() const { return range.low <= measured && measured <= range.high; }
};

Answered answer(const Report& report) {
  const auto rows = read_measurements("scenario.csv", std::string{report_columns} + report.row + "\n");
  const auto predictor = speed_predictor(shipped_catalog(), built_in_calibration("speed"));
  const auto result = predictor.predict(rows.front());
  if (const auto* skipped = std::get_if<Skipped>(&result)) FAIL(report.row << ": " << skipped->reason << " " << skipped->detail);
  auto range = std::get<Prediction>(result);
  const double gain = report.drafts.draft_tokens > 0 ? speculation_factor(report.drafts) : 1;
  const auto& row = rows.front();
  return {report.scenario,
          fmt::format("{} x {}, {} {}, {}", *row.gpu_count, row.gpu, row.model, row.quant, row.parallel),
          row.value,
          {gain * range.low, gain * range.likely, gain * range.high}};
}

}  // namespace

namespace {

/// Share of the reported rates that lie in their ranges; each is printed.
double print_share_inside() {
  int inside = 0;
  std::cout << "reported decode rates, token/s: measured, likely [range]\n";
  for (const auto& report : reports) {
    const auto a = answer(report);
    inside += a.inside();
    std::cout << fmt::format("{} {:22} {:62} {:7.4g}  {:7.4g} [{:.4g}-{:.4g}]\n", a.inside() ? "  " : "! ", a.scenario,
                             a.question, a.measured, a.range.likely, a.range.low, a.range.high);
  }
  std::cout << inside << " of " << std::size(reports) << " rates inside\n";
  return static_cast<double>(inside) / std::size(reports);
}
double share_inside() {
  static const double share = print_share_inside();
  return share;
}

}  // namespace

TEST_CASE("the range holds 80 % of the rates that owners reported") { CHECK(share_inside() >= 0.8); }

TEST_CASE("every scenario that is asked here is one of the reference set") {
  const auto text = file_text("../shared/users/scenarios.json");
  if (text.empty()) return;
  for (const auto& report : reports) {
    CAPTURE(report.scenario);
    CHECK(text.find(fmt::format("\"id\": \"{}\"", report.scenario)) != std::string::npos);
  }
}
