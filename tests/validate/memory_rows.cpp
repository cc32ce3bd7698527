// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/memory_rows.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "rigplan/catalog/catalog.h"
#include "rigplan/validate/errors.h"
#include "validate/memory_note.h"

using namespace rigplan;

static const Catalog& catalog() {
  static const auto all = read_catalog(built_in_catalog_files());
  return all;
}

static std::string text_of(const std::string& path) {
  std::ifstream in{path};
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

static std::map<std::string, ErrorSummary> errors_of(const std::vector<Measurement>& rows) {
  const auto predictor = memory_predictor(catalog());
  std::map<std::string, ErrorSummary> by_metric;
  for (auto& summary : summarize(predict_rows(rows, std::span{&predictor, 1}))) by_metric[summary.metric] = summary;
  return by_metric;
}

/// What the planner promises of memory rows.
static void check_errors(const std::vector<Measurement>& rows) {
  const auto errors = errors_of(rows);
  const auto check = [&](const char* metric, double median, double p90, double understood) {
    const auto at = errors.find(metric);
    REQUIRE(at != errors.end());
    INFO(metric << ": median " << *at->second.median_abs_error << ", 90 % " << *at->second.p90_abs_error);
    CHECK(*at->second.median_abs_error <= median);
    CHECK(*at->second.p90_abs_error <= p90);
    CHECK(at->second.predicted >= understood * at->second.rows);
  };
  check("weights_mib", 0.005, 0.04, 0.9);
  check("kv_mib", 0.001, 0.01, 0.95);
  check("compute_buffer_mib", 0.05, 0.45, 0.9);
  check("total_mib", 0.02, 0.10, 0.9);
  check("kv_pool_mib", 0.02, 0.10, 0.85);
  check("peak_total_gb", 0.08, 0.40, 0.9);
}

TEST_CASE("shipped memory rows are predicted within the promised errors", "[bad-input-29]") {
  check_errors(read_measurements("memory.csv", text_of(RIGPLAN_SOURCE_DIR "/data/measurements/memory.csv")));
}

TEST_CASE("all memory rows of the reference set are predicted within the promised errors") {
  const auto text = text_of(RIGPLAN_SOURCE_DIR "/../shared/truth/memory.csv");
  if (text.empty()) return;
  check_errors(read_measurements("memory.csv", text));
}

TEST_CASE("the words of engine logs are read") {
  const auto note = read_memory_note(
      "printed n_ctx 32768; ubatch 4096; flash_attn 1; arch deepseek2; layers 61 heads 128 kv 128 dim 192; "
      "per GPU weights CUDA0=9056.64/CUDA1=8687.38; KV CUDA0=1111.66/CUDA1=1075.80; experts 256, used 8; mla mode 3; "
      "params 672.050 B; file size 300.938 GiB (3.847 BPW)");
  CHECK(note.context == 32768.0);
  CHECK(note.micro_batch == 4096.0);
  CHECK(note.flash_attention == true);
  CHECK((note.layers == 61 && note.heads == 128 && note.kv_heads == 128 && note.head_size == 192));
  CHECK(note.card_weights == std::vector<double>{9056.64, 8687.38});
  CHECK(note.card_caches.size() == 2);
  CHECK(note.latent_mode == 3);
  CHECK(note.latent == LatentStorage::compressed);
  CHECK(*note.parameters == Approx(672.05e9));
  CHECK(note.parameter_digits == 3);
  CHECK(note.file->in(units::GiB) == Approx(300.938));
  // A list that was cut off says nothing of the cards behind the cut.
  CHECK(read_memory_note("per GPU weights CUDA0=1.5/CUDA1=2.5/CUD; MLA expanded heads").card_weights.empty());
  CHECK(read_memory_note("layers 61 heads 128 kv 1 dim 576").latent == LatentStorage::compressed_with_values);
  CHECK_FALSE(read_memory_note("").context);
}

TEST_CASE("what a row does not say is a reason to skip it, never a guess") {
  const auto predict = [](const std::string& line) {
    const auto rows = read_measurements("x.csv", "kind,gpu,gpu_count,engine,model,quant,context,metric,value,note\n" + line);
    return memory_predictor(catalog()).predict(rows.front());
  };
  const auto reason = [&](const std::string& line) {
    const auto result = predict(line);
    const auto* skipped = std::get_if<Skipped>(&result);
    return skipped ? skipped->reason : "";
  };
  CHECK(reason("memory,rtx-3090,1,llama.cpp,some new model,Q4_0,512,kv_mib,1,") == "unknown model");
  CHECK(reason("memory,rtx-3090,1,llama.cpp,llama-2-7b,,512,weights_mib,1,") == "number format not stated");
  CHECK(reason("memory,rtx-3090,1,llama.cpp,llama-2-7b,Q4_0,,kv_mib,1,") == "context not stated");
  CHECK(reason("memory,rtx-3090,1,ik_llama.cpp,deepseek-v3,Q4_K_M,512,kv_mib,1,") == "storage of the latent cache not stated");
  CHECK(reason("memory,rtx-3090,1,llama.cpp,llama-2-7b,Q4_0,512,kv_mib,1,") == "");
}
