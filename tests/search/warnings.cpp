// SPDX-License-Identifier: Apache-2.0
// Each rule of warnings on both sides of its edge. The facts are made by hand, so that only the rule is asked.
#include "rigplan/search/warnings.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "search/search_world.h"

using namespace rigplan;

namespace {

/// A rig, a job and what a plan does there, to be changed before it is asked about.
struct Asked {
  Query query;
  std::string model = "qwen2.5-32b";
  Rig rig;
  PlanResult result;
  Purchase purchase;
  RigPower power;
  Watts wall_peak;
  std::optional<TokenRate> layer_rate, tensor_rate;

  bool warns(std::string_view code) const {
    const auto graph = build_graph(rig, whole_catalog());
    const auto codes = warnings_of({.catalog = whole_catalog(),
                                    .query = query,
                                    .model = known_model(model),
                                    .graph = graph,
                                    .result = result,
                                    .purchase = purchase,
                                    .power = power,
                                    .wall_peak = wall_peak,
                                    .layer_rate = layer_rate,
                                    .tensor_rate = tensor_rate});
    return std::find(codes.begin(), codes.end(), code) != codes.end();
  }
};

/// Cards on a server board, the job on all of them under one split.
Asked cards(const std::string& gpu, int count, SplitMode split = SplitMode::layer) {
  Asked asked;
  asked.rig = rig_of(whole_catalog(), gpu, count, "asrock-rack-romed8-2t");
  asked.query.schedule = default_schedule(whole_catalog());
  asked.result.fits = true;
  asked.result.plan.split = count > 1 ? split : SplitMode::single;
  asked.result.plan.cards = count;
  if (split == SplitMode::tensor) asked.result.plan.tensor = count;
  return asked;
}

Range<TokenRate> rate(double low, double high) { return {low * token_per_s, low * token_per_s, high * token_per_s}; }

/// A decode step of 100 ms, of which links take so much.
InferenceSpeed step_with_links(double ms_of_links) {
  InferenceSpeed speed;
  speed.parts.communication = ms_of_links * ms;
  speed.parts.weights = (100 - ms_of_links) * ms;
  speed.decode_per_user = rate(10, 10);
  speed.prefill = rate(1000, 1000);
  return speed;
}

/// Two machines with one card each on a network of this rate.
Asked two_machines(Bandwidth network) {
  auto asked = cards("rtx-3090", 1);
  asked.rig.nodes[0].count = 2;
  asked.rig.network = RigNetwork{.network_switch = {}, .rate = network};
  asked.result.plan.split = SplitMode::layer;
  asked.result.plan.cards = 2;
  return asked;
}

}  // namespace

// Half of four cards of 24 GiB, less a tenth, hold 0.9 x 0.5 x 4 x 24 = 43.2 GiB: weights of 40 and half of the caches.
TEST_CASE("Copies beat tensor parallel for a queue where half of the cards hold the model and half of the caches") {
  auto asked = cards("rtx-3090", 4, SplitMode::tensor);
  asked.query.job.users = 8;
  asked.result.weights = 40 * GiB;
  asked.result.kv = 6.3 * GiB;
  CHECK(asked.warns("W_TP_FOR_THROUGHPUT"));
  asked.result.kv = 6.5 * GiB;
  CHECK_FALSE(asked.warns("W_TP_FOR_THROUGHPUT"));
  asked.result.kv = 6.3 * GiB;
  asked.query.job.users = 1;
  CHECK_FALSE(asked.warns("W_TP_FOR_THROUGHPUT"));
  asked.query.job.users = 8;
  asked.result.plan.tensor = 1;
  CHECK_FALSE(asked.warns("W_TP_FOR_THROUGHPUT"));
}

TEST_CASE("Eight cards that meet over PCIe are many for one tensor-parallel group; seven are not, nor are bridged ones") {
  auto asked = cards("rtx-3090", 4, SplitMode::tensor);
  asked.result.plan.tensor = 8;
  CHECK(asked.warns("W_TP_SCALING"));
  asked.result.plan.tensor = 7;
  CHECK_FALSE(asked.warns("W_TP_SCALING"));
  asked.result.plan.tensor = 8;
  asked.rig.nodes[0].bridges = {{"nvlink-bridge-3090", {0, 1}, 0}};
  CHECK_FALSE(asked.warns("W_TP_SCALING"));
}

TEST_CASE("Prompts of 4,096 tokens make PCIe the limit of tensor-parallel prompts, shorter ones and layer splits do not") {
  auto asked = cards("rtx-3090", 2, SplitMode::tensor);
  asked.query.job.prompt = Tokens{4096};
  CHECK(asked.warns("W_TP_PREFILL_PCIE"));
  asked.query.job.prompt = Tokens{4095};
  CHECK_FALSE(asked.warns("W_TP_PREFILL_PCIE"));
  asked = cards("rtx-3090", 2, SplitMode::layer);
  asked.query.job.prompt = Tokens{4096};
  CHECK_FALSE(asked.warns("W_TP_PREFILL_PCIE"));
}

TEST_CASE("Tensor parallel that is slower than a layer split of the same cards is told") {
  auto asked = cards("rtx-3090", 2);
  asked.layer_rate = 10 * token_per_s;
  asked.tensor_rate = 9.9 * token_per_s;
  CHECK(asked.warns("W_TP_SLOWER_THAN_LAYER"));
  asked.tensor_rate = 10 * token_per_s;
  CHECK_FALSE(asked.warns("W_TP_SLOWER_THAN_LAYER"));
  asked.tensor_rate.reset();
  CHECK_FALSE(asked.warns("W_TP_SLOWER_THAN_LAYER"));
}

TEST_CASE("Layers on several cards work in turn: no faster for one stream, faster for two") {
  auto asked = cards("rtx-3090", 2);
  CHECK(asked.warns("W_LAYER_SPLIT_NO_SPEEDUP"));
  CHECK_FALSE(asked.warns("W_PP_SINGLE_STREAM"));
  asked.result.plan.pipeline = 2;
  CHECK(asked.warns("W_PP_SINGLE_STREAM"));
  CHECK_FALSE(asked.warns("W_LAYER_SPLIT_NO_SPEEDUP"));
  asked.query.job.users = 2;
  CHECK_FALSE(asked.warns("W_PP_SINGLE_STREAM"));
  CHECK_FALSE(cards("rtx-3090", 1).warns("W_LAYER_SPLIT_NO_SPEEDUP"));
}

// A lane of PCIe 2.0 carries 0.5 GB/s, of it 256/280 payload and 0.975 without flow control: 26.74 GB in 60 s.
TEST_CASE("Weights that cross a slot for more than a minute are long in loading") {
  auto asked = cards("rtx-pro-6000-blackwell", 1);
  asked.rig.nodes[0].cards[0].plug.via = {"mining-riser-x1"};
  asked.result.memory = {{.card = 0, .usable = 96 * GiB, .used = 31 * GB, .parts = {{"weights", 27 * GB}}}};
  CHECK(asked.warns("W_LOAD_TIME"));
  asked.result.memory[0].parts[0].size = 26.5 * GB;
  CHECK_FALSE(asked.warns("W_LOAD_TIME"));
}

// Half of the weights lie on the other machine: 7.5 GB of 15 cross 125 MB/s in 60 s.
TEST_CASE("Weights of remote cards cross the network before the first token") {
  auto asked = two_machines(0.125 * GB_per_s);
  asked.result.weights = 15.5 * GB;
  CHECK(asked.warns("W_LOAD_TIME"));
  asked.result.weights = 14.5 * GB;
  CHECK_FALSE(asked.warns("W_LOAD_TIME"));
  // Tensor-parallel programs start on each machine and read a file there.
  asked.result.weights = 15.5 * GB;
  asked.result.plan.split = SplitMode::tensor;
  CHECK_FALSE(asked.warns("W_LOAD_TIME"));
}

TEST_CASE("Weights beyond all cards go to host memory, where the program can leave them there") {
  auto asked = cards("rtx-3090", 2);
  asked.result.fits = false;
  asked.result.memory = {{.card = 0, .usable = 24 * GiB, .used = 25 * GiB, .parts = {}},
                         {.card = 1, .usable = 24 * GiB, .used = 25 * GiB, .parts = {}}};
  asked.result.weights = 48.1 * GiB;
  CHECK(asked.warns("W_CPU_OFFLOAD"));
  asked.result.weights = 48 * GiB;  // then it is the cache that does not fit
  CHECK_FALSE(asked.warns("W_CPU_OFFLOAD"));
  asked.result.weights = 48.1 * GiB;
  asked.query.job.engine = "vllm";
  CHECK_FALSE(asked.warns("W_CPU_OFFLOAD"));
}

TEST_CASE("Work buffers of several cards are told where they decide what fits") {
  auto asked = cards("rtx-4060-ti-16gb", 3);
  const auto warns = [&](double used, double buffers) {
    asked.result.memory = {{.card = 0, .usable = 16 * GiB, .used = used * GiB, .parts = {{"buffers", buffers * GiB}}}};
    return asked.warns("W_COMPUTE_BUFFER_PER_CARD");
  };
  CHECK_FALSE(warns(14.9, 1));  // room for as much again
  CHECK(warns(15.1, 1));
  CHECK(warns(16.9, 1));        // does not fit, and would without them
  CHECK_FALSE(warns(17.1, 1));  // would not fit without them either
  asked.result.plan.cards = 1;
  CHECK_FALSE(warns(15.1, 1));
}

TEST_CASE("A faster network changes nothing where links take less than a twentieth of a step over several machines") {
  auto asked = two_machines(10 * GB_per_s);
  asked.result.inference = step_with_links(4);
  CHECK(asked.warns("W_NET_NOT_BOTTLENECK"));
  CHECK_FALSE(asked.warns("W_NET_BW"));
  asked.result.inference = step_with_links(6);
  CHECK_FALSE(asked.warns("W_NET_NOT_BOTTLENECK"));
  CHECK(asked.warns("W_NET_BW"));
  asked.result.inference = step_with_links(4);
  asked.result.plan.cards = 1;
  asked.result.plan.replicas = 2;
  CHECK_FALSE(asked.warns("W_NET_NOT_BOTTLENECK"));
}

TEST_CASE("A rate whose range is more than fourfold hangs on software") {
  auto asked = cards("mi50-32gb", 1);
  asked.result.inference = step_with_links(0);
  asked.result.inference->decode_per_user = rate(10, 41);
  CHECK(asked.warns("W_SOFTWARE_SPREAD"));
  asked.result.inference->decode_per_user = rate(10, 40);
  CHECK_FALSE(asked.warns("W_SOFTWARE_SPREAD"));
}

TEST_CASE("Packed weights of serving programs hang on the kernel where a chip has no matrix units or no full support") {
  const auto warns = [](const std::string& gpu, const std::string& format, const std::string& engine) {
    auto asked = cards(gpu, 1);
    asked.query.job.weight_format = format;
    asked.query.job.engine = engine;
    return asked.warns("W_QUANT_KERNEL");
  };
  CHECK(warns("mi60", "GPTQ-Int4", "vllm"));
  CHECK(warns("v100-pcie-16gb", "AWQ", "vllm"));  // matrix units, and left by the program
  CHECK(warns("mi100", "GPTQ-Int8", "vllm"));     // matrix units, and supported by owners alone
  CHECK_FALSE(warns("rtx-3090", "GPTQ-Int4", "vllm"));
  CHECK_FALSE(warns("mi60", "Q4_K_M", "llama.cpp"));
  CHECK_FALSE(warns("mi60", "F16", "vllm"));
}

TEST_CASE("A fork is named where a program leaves a chip out and one of its family does not") {
  auto asked = cards("mi50-32gb", 1);
  asked.query.job.engine = "vllm";
  CHECK(asked.warns("W_ENGINE_UNSUPPORTED"));
  CHECK(asked.warns("W_ENGINE_FORK"));
  asked.query.job.engine = "sglang";
  CHECK(asked.warns("W_ENGINE_UNSUPPORTED"));
  CHECK_FALSE(asked.warns("W_ENGINE_FORK"));
  asked.query.job.engine = "llama.cpp";
  CHECK_FALSE(asked.warns("W_ENGINE_FORK"));
}

TEST_CASE("Rates of a model with draft layers of its own are quoted with and without them") {
  auto asked = cards("rtx-3090", 1);
  asked.result.inference = step_with_links(0);
  asked.model = "qwen3.6-27b";
  CHECK(asked.warns("W_SPECDEC_BASELINE"));
  asked.model = "qwen2.5-32b";
  CHECK_FALSE(asked.warns("W_SPECDEC_BASELINE"));
}

TEST_CASE("A cap below the card's power changes figures, one at it does not") {
  auto asked = cards("radeon-pro-vii", 2);  // 250 W
  asked.rig.nodes[0].cards[1].power_cap = 249 * watt;
  CHECK(asked.warns("W_POWER_CAP_SENSITIVE"));
  asked.rig.nodes[0].cards[1].power_cap = 250 * watt;
  CHECK_FALSE(asked.warns("W_POWER_CAP_SENSITIVE"));
}

TEST_CASE("Supplies and cables bring their own doubts") {
  auto asked = cards("rtx-3090", 1);
  CHECK_FALSE(asked.warns("W_SERVER_PSU_MOD"));
  asked.rig.nodes[0].psus = {"psu-1600w-gold"};
  CHECK_FALSE(asked.warns("W_SERVER_PSU_MOD"));
  asked.rig.nodes[0].psus.emplace_back("psu-750w-server");
  CHECK(asked.warns("W_SERVER_PSU_MOD"));
  asked.rig = rig_of(whole_catalog(), "rtx-3090", 1, "octominer-x-ultra-12");
  asked.rig.nodes[0].psus = {"psu-1600w-server"};  // what this chassis is sold with
  CHECK_FALSE(asked.warns("W_SERVER_PSU_MOD"));
  asked.rig.nodes[0].psus = {"psu-750w-server"};
  CHECK(asked.warns("W_SERVER_PSU_MOD"));
  CHECK_FALSE(asked.warns("W_HOTPLUG"));
  asked.rig.nodes[0].cards[0].plug.via = {"oculink-x4"};
  CHECK(asked.warns("W_HOTPLUG"));
}

TEST_CASE("One lane is a doubt of plans that join cards") {
  auto asked = cards("rtx-3090", 2);
  asked.rig.nodes[0].cards[0].plug.via = {"mining-riser-x1-gen3"};
  CHECK(asked.warns("W_LANES_X1"));
  CHECK(asked.warns("W_RISER_AER"));
}

// A fifth of 1,000 W stays free below 800 W.
TEST_CASE("Supplies keep a fifth free; a host that nobody describes draws no less than the most modest known one, 70 W") {
  auto asked = cards("rtx-3090", 1);
  asked.power.supplies_rated = 1000 * watt;
  asked.power.cards_rated = 740 * watt;
  CHECK_FALSE(asked.warns("W_PSU_MARGIN"));
  asked.power.host_busy = 61 * watt;
  CHECK(asked.warns("W_PSU_MARGIN"));
  asked.power.host_busy = {};
  asked.power.hosts_unknown = 1;  // 740 + 70
  CHECK(asked.warns("W_PSU_MARGIN"));
  asked.power.cards_rated = 729 * watt;
  CHECK_FALSE(asked.warns("W_PSU_MARGIN"));
}

TEST_CASE("A circuit of 220 V and 16 A carries 2,816 W all day") {
  auto asked = cards("rtx-3090", 1);
  asked.wall_peak = 2817 * watt;
  CHECK(asked.warns("W_CIRCUIT_LIMIT"));
  asked.wall_peak = 2815 * watt;
  CHECK_FALSE(asked.warns("W_CIRCUIT_LIMIT"));
}

// 8,192 tokens at 409.6 token/s take 20 s.
TEST_CASE("A full window that takes more than 20 s to read is slow, and a cache above the weights dominates") {
  auto asked = cards("rtx-3090", 1);
  asked.query.job.context = Tokens{8192};
  asked.result.inference = step_with_links(0);
  asked.result.inference->prefill = rate(409, 409);
  CHECK(asked.warns("W_PREFILL_SLOW"));
  asked.result.inference->prefill = rate(410, 410);
  CHECK_FALSE(asked.warns("W_PREFILL_SLOW"));
  asked.result.weights = 10 * GiB;
  asked.result.kv = 10 * GiB;
  CHECK_FALSE(asked.warns("W_KV_DOMINATES"));
  asked.result.kv = 10.1 * GiB;
  CHECK(asked.warns("W_KV_DOMINATES"));
}

TEST_CASE("Bridges are idle in a split that hardly exchanges data; a plan beside the best one is told so too") {
  auto asked = cards("rtx-3090", 2);
  asked.rig.nodes[0].bridges = {{"", {0, 1}, 0}};
  CHECK(asked.warns("W_NVLINK_UNUSED"));
  const auto graph = build_graph(asked.rig, whole_catalog());
  const auto codes = plan_warnings_of({.catalog = whole_catalog(),
                                       .query = asked.query,
                                       .model = known_model(asked.model),
                                       .graph = graph,
                                       .result = asked.result,
                                       .purchase = asked.purchase,
                                       .power = asked.power,
                                       .wall_peak = {}});
  CHECK(codes == std::vector<std::string>{"W_LAYER_SPLIT_NO_SPEEDUP", "W_NVLINK_UNUSED"});
  asked.result.plan.split = SplitMode::tensor;
  asked.result.plan.tensor = 2;
  CHECK_FALSE(asked.warns("W_NVLINK_UNUSED"));
}
