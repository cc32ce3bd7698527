// SPDX-License-Identifier: Apache-2.0
// Files of benchmarks become rows that validation reads; what a file does not say is a question.
#include "rigplan/import/bench.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "rigplan/json/data_error.h"
#include "rigplan/validate/calibrated_family.h"

using namespace rigplan;

namespace {

const Catalog& shipped_cards() {
  static const auto catalog = read_catalog(built_in_catalog_files());
  return catalog;
}

std::string bench_file(const std::string& name) {
  std::ifstream stream{RIGPLAN_SOURCE_DIR "/tests/data/bench/" + name, std::ios::binary};
  std::stringstream text;
  text << stream.rdbuf();
  REQUIRE_FALSE(text.str().empty());
  return text.str();
}

bool is_asked(const ImportedRows& imported, std::string_view text) {
  for (const auto& question : imported.questions)
    if ((question.subject + ": " + question.text).find(text) != std::string::npos) return true;
  return false;
}

/// Every row is written as CSV, read back, and predicted by the families that ship.
std::vector<PredictedRow> predicted(const ImportedRows& imported, std::vector<Measurement>& rows) {
  rows = read_measurements("rows.csv", to_csv(imported.rows));
  return predict_rows(rows, row_predictors(shipped_cards()));
}

}  // namespace

TEST_CASE("llama-bench: a row for each test of a prompt or of generation, mixed and half offloaded tests left out") {
  const auto imported = import_llama_bench("b.json", bench_file("llama-bench.json"), shipped_cards(), {});
  REQUIRE(imported.rows.size() == 2);
  const auto &prefill = imported.rows[0], &decode = imported.rows[1];
  CHECK(prefill.kind == "prefill");
  CHECK(prefill.gpu == "rtx-3090");  // and not the Ti, whose name holds this one
  CHECK(prefill.model == "qwen2.5-7b");
  CHECK(prefill.quant == "Q4_K_M");
  CHECK(prefill.prompt == 512);
  CHECK(prefill.value == 4284.5);
  CHECK(prefill.engine == "llama.cpp-cuda");
  CHECK(prefill.engine_date == "b5942");
  CHECK(*prefill.weights_gib == Approx(4.356).epsilon(1e-3));  // 4,677,120,000 / 2^30
  CHECK(decode.kind == "decode");
  CHECK(decode.context == 4096);
  CHECK(decode.generate == 128);
  CHECK(decode.kv_quant == "q8_0");
  CHECK(decode.note.find("fa on") != std::string::npos);
  CHECK(is_asked(imported, "512 tokens of prompt and 128 generated"));
  CHECK(is_asked(imported, "14 of 28 layers"));
  std::vector<Measurement> rows;
  for (const auto& row : predicted(imported, rows)) CHECK(row.prediction() != nullptr);
}

TEST_CASE("llama-bench: JSON lines, several cards, names that fit two cards or none") {
  const std::string line = R"({"gpu_info":"NVIDIA GeForce RTX 3080, NVIDIA GeForce RTX 3080","backends":"CUDA",)"
                           R"("model_filename":"x/own-model-Q8_0.gguf","model_type":"own 3B Q8_0","split_mode":"row",)"
                           R"("n_prompt":0,"n_gen":128,"avg_ts":50.5})";
  const auto imported = import_llama_bench("b.jsonl", line + "\r\n" + line + "\n", shipped_cards(), {});
  REQUIRE(imported.rows.size() == 2);
  CHECK(imported.rows[0].gpu_count == 2);
  CHECK(imported.rows[0].parallel == "row");
  CHECK(imported.rows[0].gpu.empty());
  CHECK(is_asked(imported, "could be"));
  CHECK(is_asked(imported, "is no known model; give --model"));
  CHECK(is_asked(imported, "how the cards are connected"));
  BenchFacts facts;
  facts.gpu = "rtx-3080-10gb";
  facts.model = "llama-3.2-3b";
  facts.link = "PCIe 4.0 x16";
  const auto known = import_llama_bench("b.jsonl", line, shipped_cards(), facts);
  CHECK(known.questions.empty());
  CHECK(known.rows[0].gpu == "rtx-3080-10gb");
  CHECK(known.rows[0].quant == "Q8_0");
}

TEST_CASE("llama-bench: other files are errors with their line") {
  CHECK_THROWS_WITH(import_llama_bench("x.json", "", shipped_cards(), {}), Catch::Contains("is empty"));
  CHECK_THROWS_WITH(import_llama_bench("x.md", "| model | t/s |", shipped_cards(), {}), Catch::Contains("-o json"));
  CHECK_THROWS_WITH(import_llama_bench("x.json", "[\n{\"n_prompt\": 1}]", shipped_cards(), {}),
                    Catch::Contains("x.json:2") && Catch::Contains("n_gen"));
  CHECK_THROWS_WITH(
      import_llama_bench("x.jsonl", "{\"n_prompt\":0,\"n_gen\":1,\"avg_ts\":2}\n{\"n_prompt\":", shipped_cards(), {}),
      Catch::Contains("x.jsonl:2"));
}

TEST_CASE("vllm bench serve: the rate of all streams, the time per token and to the first token") {
  BenchFacts facts;
  facts.gpu = "rtx-4090";
  facts.gpu_count = 1;
  facts.quant = "BF16";
  const auto imported = import_vllm_bench("v.json", bench_file("vllm-bench.json"), shipped_cards(), facts);
  CHECK(imported.questions.empty());
  REQUIRE(imported.rows.size() == 3);
  for (const auto& row : imported.rows) {
    CHECK(row.kind == "serve");
    CHECK(row.model == "llama-3.1-8b");
    CHECK(row.batch == 32);
    CHECK(row.prompt == 1024);   // 327,680 tokens in 320 requests
    CHECK(row.generate == 128);  // 40,960
  }
  CHECK(imported.rows[0].metric == "tokens_per_s");
  CHECK(imported.rows[0].value == 345.95);
  CHECK(imported.rows[1].metric == "tpot_ms");
  CHECK(imported.rows[1].value == 74.4);
  CHECK(imported.rows[2].metric == "ttft_ms");
  std::vector<Measurement> rows;
  CHECK(predicted(imported, rows)[0].prediction() != nullptr);
}

TEST_CASE("vllm bench serve: what is missing is asked, other results are errors") {
  auto text = bench_file("vllm-bench.json");
  text.replace(text.find("\"max_concurrency\": 32"), 21, "\"max_concurrency\": null");
  const auto imported = import_vllm_bench("v.json", text, shipped_cards(), {});
  CHECK(is_asked(imported, "gpu: the file does not name the cards"));
  CHECK(is_asked(imported, "how many cards"));
  CHECK(is_asked(imported, "no limit of streams"));
  CHECK(is_asked(imported, "names no number format"));
  CHECK_THROWS_WITH(import_vllm_bench("v.json", R"({"elapsed_time":1,"tokens_per_second":2})", shipped_cards(), {}),
                    Catch::Contains("another vllm benchmark"));
  CHECK_THROWS_WITH(import_vllm_bench("v.json", R"({"output_throughput":1,"completed":0})", shipped_cards(), {}),
                    Catch::Contains("completed"));
}

TEST_CASE("nccl-tests: the out-of-place time of every size, with cards, machines and operation read off the text") {
  BenchFacts facts;
  facts.link = "NVSwitch";
  const auto imported = import_nccl_tests("a.txt", bench_file("all-reduce.txt"), shipped_cards(), facts);
  REQUIRE(imported.rows.size() == 2);
  CHECK(imported.rows[0].gpu == "a100-sxm4-80gb");
  CHECK(imported.rows[0].gpu_count == 4);
  CHECK(imported.rows[0].nodes == 1);
  CHECK(imported.rows[0].message_bytes == 8192);
  CHECK(imported.rows[0].value == 16.42);
  CHECK(imported.rows[1].value == 7021.3);
  // Bus over algorithm bandwidth is 1.5 = 2 x 3 / 4.
  CHECK(imported.rows[0].collective == "all_reduce");
  CHECK(is_asked(imported, "those of an all-reduce"));
  std::vector<Measurement> rows;
  for (const auto& row : predicted(imported, rows)) CHECK(row.prediction() != nullptr);
}

TEST_CASE("nccl-tests: older tables, rccl-tests, several machines, and files that are something else") {
  const std::string older =
      "$ mpirun -np 16 ./build/all_gather_perf -b 8 -e 8G\n"
      "#   Rank  0 Pid   1320 on  node-a device  0 [0x00] Radeon Instinct MI50\n"
      "#   Rank  1 Pid   1321 on  node-b device  0 [0x00] Radeon Instinct MI50\n"
      "#       size         count      type   redop     time   algbw   busbw  error     time   algbw   busbw  error\n"
      "     1048576        262144     float     none    254.1    4.13    2.06    N/A    251.0    4.18    2.09    N/A\n";
  BenchFacts facts;
  facts.gpu = "mi50-16gb";
  const auto imported = import_nccl_tests("g.txt", older, shipped_cards(), facts);
  REQUIRE(imported.rows.size() == 1);
  CHECK(imported.rows[0].collective == "all_gather");
  CHECK(imported.rows[0].nodes == 2);
  CHECK(imported.rows[0].value == 254.1);
  CHECK(imported.rows[0].engine == "RCCL via rccl-tests");
  CHECK(is_asked(imported, "what joins the machines"));
  CHECK_THROWS_WITH(import_nccl_tests("x", "hello\n1 2 3\n", shipped_cards(), {}), Catch::Contains("no line of sizes"));
}
