// SPDX-License-Identifier: Apache-2.0
// How values of a calibration become the constants of the formulas.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "estimate/compute/round_work.h"
#include "estimate/round_calibration.h"
#include "rigplan/estimate/compute/serving_constants.h"
#include "rigplan/estimate/compute/split_time.h"
#include "rigplan/estimate/compute/training_constants.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

bool has(const std::vector<std::string>& levels, const std::string& level) {
  return std::find(levels.begin(), levels.end(), level) != levels.end();
}

}  // namespace

TEST_CASE("every term of training reaches its constant; shares end at the whole, emulation begins at 1") {
  std::vector<double> values(training_terms().size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 2 + static_cast<double>(i);
  const auto c = make_training_constants(values, {});
  CHECK(c.gemm_efficiency == 1);
  CHECK(c.rows_half == 3);
  CHECK(c.hidden_half == 4);
  CHECK(c.attention_efficiency == 1);
  CHECK(c.elementwise_passes == 6);
  CHECK(c.launch.in(us) == Approx(7));
  CHECK(c.dequantisation == 1);
  CHECK(c.optimizer_traffic == 9);
  CHECK(c.gather_bus == 1);
  CHECK(c.gather_overlap == 1);
  CHECK(c.reduce_overlap == 1);
  CHECK(c.tensor_overlap == 1);
  CHECK(c.fp8_gain == 14);
  CHECK(c.mixture_slowdown == 15);
  CHECK(c.bf16_emulation == 16);
  for (auto& value : values) value = 0.25;
  CHECK(make_training_constants(values, {}).gemm_efficiency == 0.25);
  CHECK(make_training_constants(values, {}).bf16_emulation == 1);
  // Programs whose graphs or kernels are fused do not wait for the host.
  const auto launch = [&](KernelStyle kernels) {
    TrainingStack stack;
    stack.kernels = kernels;
    return make_training_constants(values, stack).launch.in(us);
  };
  CHECK(launch(KernelStyle::eager) == Approx(0.25));
  CHECK(launch(KernelStyle::framework) == Approx(0.25));
  CHECK(launch(KernelStyle::compiled) == 0);
  CHECK(launch(KernelStyle::fused) == 0);
  const auto calibration = round_calibration("training", {{"rows_half", 300}, {"gather_bus", 0.5}});
  CHECK(training_constants(calibration, {}, {}).rows_half == Approx(300));
  CHECK(training_constants(calibration, {}, {}).gather_bus == Approx(0.5));
}

TEST_CASE("levels of training name chip, program, mode and links") {
  TrainingCard card;
  card.architecture = "sm_80";
  card.family = "ampere";
  TrainingStack stack;
  stack.id = "mine";
  Job job;
  job.kind = JobKind::full_finetune;
  job.checkpointing = Checkpointing::none;
  ParallelPlan plan;
  const auto levels = [&](LinkClass links = LinkClass::none) { return training_levels(card, stack, job, plan, links); };
  CHECK(levels() == std::vector<std::string>{"arch:sm_80", "family:ampere", "kernels:eager", "stack:mine"});
  job.checkpointing = Checkpointing::full;
  CHECK(has(levels(), "mode:checkpointed"));
  job.kind = JobKind::lora;
  CHECK(has(levels(), "mode:adapters"));
  CHECK_FALSE(has(levels(), "mode:quantised"));
  job.kind = JobKind::qlora;
  for (const auto* format : {"NF4", "nf4"}) {
    job.weight_format = format;
    CHECK((has(levels(), "mode:quantised") && has(levels(), "format:nf4")));
  }
  job.weight_format = "GPTQ";
  CHECK(has(levels(), "format:gptq"));
  CHECK_FALSE(has(levels(LinkClass::pcie_peer), "link:pcie"));  // one replica shares nothing
  plan.replicas = 2;
  for (const auto kind : {LinkClass::pcie_peer, LinkClass::pcie_staged}) CHECK(has(levels(kind), "link:pcie"));
  for (const auto kind : {LinkClass::network_rdma, LinkClass::network_tcp}) CHECK(has(levels(kind), "link:network"));
  for (const auto kind : {LinkClass::nvlink, LinkClass::nvswitch, LinkClass::xgmi}) CHECK(has(levels(kind), "link:peer"));
  const std::pair<GatherStyle, const char*> gathers[] = {{GatherStyle::prefetching, "gathers:prefetching"},
                                                         {GatherStyle::plain, "gathers:plain"},
                                                         {GatherStyle::per_parameter, "gathers:per-parameter"}};
  for (const auto& [style, level] : gathers) {
    stack.gathers = style;
    CHECK(has(levels(), level));
  }
  CHECK(has(levels(LinkClass::network_tcp), "link:network|gathers:per-parameter"));
  CHECK_FALSE(has(levels(LinkClass::pcie_peer), "link:network|gathers:per-parameter"));
  stack.attention_kernels = AttentionKernels::earlier_chips;
  CHECK(has(levels(), "attention:earlier|family:ampere"));
  const std::pair<KernelStyle, const char*> kernels[] = {{KernelStyle::framework, "kernels:framework"},
                                                         {KernelStyle::compiled, "kernels:compiled"},
                                                         {KernelStyle::fused, "kernels:fused"}};
  for (const auto& [style, level] : kernels) {
    stack.kernels = style;
    CHECK(has(levels(), level));
  }
}

TEST_CASE("constants of serving: shares end at the whole, times do not") {
  std::vector<double> values(serving_terms().size(), 3);
  const auto c = make_serving_constants(values);
  for (const double share :
       {c.dense_share, c.flop_share, c.expert_share, c.cache_share, c.all_reduce_share, c.prefill_share, c.prefill_expert_share,
        c.prefill_attention_share, c.prefill_all_reduce_share, c.interference, c.queue_slope, c.slot_wait})
    CHECK(share == 1);
  for (const double time :
       {c.all_reduce_latency, c.layer_time, c.latent_factor, c.indexer_factor, c.mixture_time, c.iteration_time, c.stream_time,
        c.first_token_time, c.layer_prompt_time, c.first_steps, c.warm_up_time})
    CHECK(time == 3);
  CHECK(serving_levels("vllm", "hopper", "fp8", "mxfp4", false) ==
        std::vector<std::string>{"engine:vllm", "family:hopper", "dense:fp8", "load:steady", "engine:vllm|load:steady",
                                 "expert:mxfp4", "expert:mxfp4|family:hopper"});
  CHECK(serving_levels("vllm", "hopper", "fp8", "", true) ==
        std::vector<std::string>{"engine:vllm", "family:hopper", "dense:fp8", "load:together", "engine:vllm|load:together"});
}

TEST_CASE("every term of speed reaches its constant") {
  const auto calibration = round_calibration("speed", {{"layer_time", 5}, {"power_bandwidth", 7}});
  const auto constants = resolve_speed_constants(calibration, {});
  CHECK(constants.layer_time == Approx(5));
  CHECK(constants.power_bandwidth == Approx(7));
  CHECK(constants.token_time == Approx(1));
  for (const auto& term : speed_terms()) CHECK(calibration.terms.contains(term.name));
}

TEST_CASE("a build that is not stated scatters as rows or as what people report, whichever is wider") {
  Calibration calibration;
  const ResidualSpread rows{"decode", "known", -0.3, 0.5, 9};
  CHECK(find_reports(calibration) == nullptr);
  CHECK(with_reports(rows, calibration).high == 0.5);
  calibration.spreads = {{"decode", "known", -9, 9, 5}, {std::string{reported_kind}, "", -0.4, 0.2, 5}};
  CHECK(with_reports(rows, calibration).low == -0.4);
  CHECK(with_reports(rows, calibration).high == 0.5);
  calibration.spreads[1].low = -0.1;
  calibration.spreads[1].high = 1.2;
  CHECK(with_reports(rows, calibration).low == -0.3);
  CHECK(with_reports(rows, calibration).high == 1.2);
}

TEST_CASE("an engine runs on the backend of the card's vendor unless it names one") {
  CardSpeed card;
  const auto backend = [&](const char* vendor) {
    card.vendor = vendor;
    return engine_with_backend("llama.cpp", card);
  };
  CHECK(backend("nvidia") == "llama.cpp-cuda");
  CHECK(backend("amd") == "llama.cpp-rocm");
  CHECK(backend("intel") == "llama.cpp-sycl");
  CHECK(backend("moore-threads") == "llama.cpp-musa");
  CHECK(backend("huawei") == "llama.cpp-cann");
  CHECK(backend("other") == "llama.cpp-cuda");
  CHECK(engine_with_backend("llama.cpp-vulkan", card) == "llama.cpp-vulkan");
  CHECK(program_of("llama.cpp-vulkan") == "llama.cpp");
  CHECK(program_of("ik-llama.cpp") == "ik-llama.cpp");
}

TEST_CASE("levels of speed name card, engine, formats and split") {
  auto card = round_card();
  card.card = "mi50";
  card.architecture = "gfx906";
  card.family = "gcn";
  card.vendor = "amd";
  card.memory_type = "HBM2";
  auto work = round_work();
  work.format = FormatClass::k_quant_4;
  work.key_format = FormatClass::int8_block;
  SpeedSituation situation{"llama.cpp", "", true, "layer"};
  const auto levels = speed_levels(situation, card, work);
  for (const auto* level :
       {"card:mi50", "arch:gfx906", "family:gcn", "vendor:amd", "memory:HBM2", "stack:amd-hbm", "engine:llama.cpp-rocm",
        "backend:rocm", "engine:llama.cpp-rocm|family:gcn", "engine:llama.cpp-rocm|arch:gfx906", "format:k_quant_4",
        "engine:llama.cpp-rocm|format:k_quant_4", "family:gcn|format:k_quant_4", "cache:int8_block", "split:layer", "experts:no"})
    CHECK(has(levels, level));
  CHECK(levels.size() == 16);
  card.memory_type = "GDDR6";
  work.routed_experts = 1;
  work.recurrent_layers = 2;
  situation.flash_attention = false;
  const auto others = speed_levels(situation, card, work);
  for (const auto* level : {"stack:amd-gddr", "experts:yes", "attention:unfused", "engine:llama.cpp-rocm|recurrent"})
    CHECK(has(others, level));
}

TEST_CASE("experts stay spread over a plan's cards, and a plan without cards has one") {
  ParallelPlan plan;
  plan.split = SplitMode::tensor;
  plan.cards = 8;
  plan.expert = 8;
  CHECK(split_shape(plan).expert == 8);
  CHECK(split_shape(plan).tensor == 8);
  plan.expert = 0;
  CHECK(split_shape(plan).expert == 1);
  plan.cards = 0;
  CHECK(split_shape(plan).cards == 1);
  CHECK(split_shape(plan).mode == SplitMode::single);
  plan.cards = 4;
  plan.pipeline = 9;  // no more stages than cards
  CHECK(split_shape(plan).pipeline == 4);
  CHECK(split_shape(plan).tensor == 1);
  plan.pipeline = 0;
  CHECK(split_shape(plan).pipeline == 1);
  plan.split = SplitMode::single;
  CHECK(split_shape(plan).tensor == 1);
  CHECK(split_shape(plan).pipeline == 1);
}

TEST_CASE("classes of number formats and of links have the names that levels are made of") {
  const std::pair<FormatClass, const char*> formats[] = {{FormatClass::f32, "f32"},
                                                         {FormatClass::f16, "f16"},
                                                         {FormatClass::bf16, "bf16"},
                                                         {FormatClass::f8, "f8"},
                                                         {FormatClass::f4, "f4"},
                                                         {FormatClass::int8_block, "int8_block"},
                                                         {FormatClass::int4_block, "int4_block"},
                                                         {FormatClass::k_quant_low, "k_quant_low"},
                                                         {FormatClass::k_quant_4, "k_quant_4"},
                                                         {FormatClass::k_quant_5_6, "k_quant_5_6"},
                                                         {FormatClass::i_quant, "i_quant"},
                                                         {FormatClass::gptq, "gptq"},
                                                         {FormatClass::nf4, "nf4"}};
  for (const auto& [kind, name] : formats) CHECK(to_text(kind) == name);
  const std::pair<LinkClass, const char*> links[] = {{LinkClass::none, "none"},
                                                     {LinkClass::nvswitch, "nvswitch"},
                                                     {LinkClass::nvlink, "nvlink"},
                                                     {LinkClass::xgmi, "xgmi"},
                                                     {LinkClass::pcie_peer, "pcie_peer"},
                                                     {LinkClass::pcie_staged, "pcie_staged"},
                                                     {LinkClass::network_rdma, "network_rdma"},
                                                     {LinkClass::network_tcp, "network_tcp"}};
  for (const auto& [kind, name] : links) CHECK(to_text(kind) == name);
}
