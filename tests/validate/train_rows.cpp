// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "rigplan/validate/errors.h"
#include "rigplan/validate/train_row.h"

using namespace rigplan;

namespace {

struct Ground {
  Catalog catalog = read_catalog(built_in_catalog_files());
  ModelLibrary models;
  std::vector<TrainingStack> stacks = built_in_training_stacks();
  Calibration calibration = built_in_calibration("training");
};
Ground& ground() {
  static Ground all;
  return all;
}

std::string text_of(const std::string& path) {
  std::ifstream in{path};
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Measurement measured(const std::string& columns, const std::string& values) {
  return read_measurements("row.csv", columns + "\n" + values + "\n").front();
}

TrainRow understood(const Measurement& row) {
  const auto mapped = map_train_row(row, ground().catalog, ground().models, ground().stacks);
  REQUIRE(std::holds_alternative<TrainRow>(mapped));
  return std::get<TrainRow>(mapped);
}

struct Errors {
  double median, p90, worst, understood;
};
Errors errors_of(std::span<const PredictedRow> rows, const std::function<bool(const Measurement&)>& wanted) {
  std::vector<double> errors;
  int all = 0;
  for (const auto& row : rows) {
    if (!wanted(*row.row)) continue;
    ++all;
    if (row.prediction()) errors.push_back(std::abs(row.error()));
  }
  REQUIRE_FALSE(errors.empty());
  return {quantile(errors, 0.5), quantile(errors, 0.9), quantile(errors, 1), static_cast<double>(errors.size()) / all};
}

constexpr auto columns =
    "id,kind,gpu,gpu_count,link,parallel,engine,model,method,precision,seq,micro_batch,global_batch,checkpointing,metric,value,"
    "note";

}  // namespace

TEST_CASE("a Megatron row is tensor and pipeline parallel with interleaved stages") {
  const auto row = measured(columns,
                            "a,train,a100-sxm4-80gb,280,NVSwitch in node,tp8pp35dp1interleave3,Megatron-LM,turing-530B,pre-train,"
                            "fp16,2048,1,280,selective+sequence-parallel,s_per_step,37.83,");
  const auto question = understood(row);
  CHECK(question.plan.tensor == 8);
  CHECK(question.plan.pipeline == 35);
  CHECK(question.plan.interleave == 3);
  CHECK(question.plan.replicas == 1);
  CHECK(question.plan.sequence_parallel);
  CHECK(question.job.checkpointing == Checkpointing::selective);
  CHECK(question.job.sequences_per_step == 280);
  CHECK(question.fabric.tensor.kind == LinkClass::nvswitch);
}

TEST_CASE("words for sharding, accumulation and adapters are understood") {
  auto row =
      measured(columns,
               "a,train,a100-sxm4-80gb,8,NVLink in node,tp=1 zero1=8 (ZeRO-1),InternEvo,internlm-7b,pre-train,bf16,2048,2,,"
               "FALSE,tokens_per_s_per_gpu,4103,micro_num 4");
  auto question = understood(row);
  CHECK(question.plan.sharding == 1);
  CHECK(question.plan.shard_cards == 8);
  CHECK(question.job.sequences_per_step == 2 * 4 * 8);
  row =
      measured(columns,
               "a,train,rtx-4090,2,\"PCIe 4.0 x16 each, no NVLink\",FSDP + CPU offload,fsdp_qlora,llama-2-7b,QLoRA,bf16,2048,4,8,"
               "yes,tokens_per_s,4500,");
  question = understood(row);
  CHECK(question.plan.sharding == 3);
  CHECK(question.job.offload == Offload::parameters);
  CHECK(question.job.kind == JobKind::qlora);
  CHECK(question.job.lora_rank == 64);  // the habit of this program
  CHECK(question.fabric.data.kind == LinkClass::pcie_staged);
}

// 16384 tokens of each card in four micro-batches: 2 sequences of 2048 each. Two cards that divide a layer have twice as many.
TEST_CASE("a row without a batch has the work for each card that its program's own runs have") {
  const auto batch = [](const std::string& plan, const std::string& micro) {
    return understood(measured(columns, "a,train,a100-sxm4-80gb,16,NVLink in node," + plan +
                                            ",InternEvo,internlm-7b,pre-train,bf16,2048," + micro +
                                            ",,no,tokens_per_s_per_gpu,3842,"))
        .job;
  };
  CHECK(batch("tp=1 zero1=-1 (ZeRO-1)", "").micro_sequences == 2);
  CHECK(batch("tp=1 zero1=-1 (ZeRO-1)", "").sequences_per_step == 2 * 4 * 16);
  CHECK(batch("tp=2 zero1=-1 (ZeRO-1)", "").micro_sequences == 4);
  CHECK(batch("tp=2 zero1=-1 (ZeRO-1)", "").sequences_per_step == 4 * 4 * 8);
  CHECK(batch("tp=1 zero1=-1 (ZeRO-1)", "1").micro_sequences == 1);
}

TEST_CASE("what cannot be understood is skipped with the reason") {
  const auto reason = [](const std::string& values) {
    const auto mapped = map_train_row(measured(columns, values), ground().catalog, ground().models, ground().stacks);
    const auto* skipped = std::get_if<Skipped>(&mapped);
    return skipped ? skipped->reason : "";
  };
  CHECK(reason("a,train,no-such-card,1,,,litgpt,llama-2-7b,full,bf16,512,1,,,tokens_per_s,1,") == "unknown card");
  CHECK(reason("a,train,rtx-3090,1,,,litgpt,no-such-model,full,bf16,512,1,,,tokens_per_s,1,") == "unknown model");
  CHECK(reason("a,train,rtx-3090,1,,,no such program,llama-2-7b,full,bf16,512,1,,,tokens_per_s,1,") ==
        "unknown training program");
  CHECK(reason("a,train,rtx-3090,1,,,pytorch,llama-2-7b,full,bf16,,1,,,tokens_per_s,1,") == "sequence not stated");
}

TEST_CASE("training rows of the reference set are predicted within the promised errors") {
  const auto text = text_of(RIGPLAN_SOURCE_DIR "/../shared/truth/train.csv");
  if (text.empty()) return;
  const auto rows = read_measurements("train.csv", text);
  auto& g = ground();
  const std::vector<RowPredictor> predictors = {train_predictor(g.catalog, g.models, g.stacks, g.calibration),
                                                train_memory_predictor(g.catalog, g.models, g.stacks, g.calibration)};
  const auto predicted = predict_rows(rows, predictors);
  const auto of_kind = [](const std::string& kind) { return [kind](const Measurement& row) { return row.kind == kind; }; };
  const auto speed = errors_of(predicted, of_kind("train"));
  INFO("speed: median " << speed.median << ", 90 % " << speed.p90 << ", understood " << speed.understood);
  CHECK(speed.median <= 0.07);
  CHECK(speed.p90 <= 0.22);
  CHECK(speed.understood >= 0.95);
  const auto memory = errors_of(predicted, of_kind("train_memory"));
  INFO("memory: median " << memory.median << ", 90 % " << memory.p90 << ", understood " << memory.understood);
  CHECK(memory.median <= 0.07);
  CHECK(memory.p90 <= 0.22);
  CHECK(memory.understood >= 0.95);
  const auto stated =
      errors_of(predicted, [](const Measurement& r) { return r.kind == "train_memory" && r.engine == "pytorch-eager"; });
  CHECK(stated.worst <= 0.01);
  const auto megatron = errors_of(predicted, [](const Measurement& r) { return r.kind == "train" && r.engine == "Megatron-LM"; });
  CHECK(megatron.worst <= 0.06);
}
