// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/training_search.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "rigplan/topology/assign_slots.h"
#include "search/search_world.h"

using namespace rigplan;

namespace {

Query training_question(JobKind kind, int sequences) {
  Query query;
  query.schedule = default_schedule(whole_catalog());
  query.job.kind = kind;
  query.job.weight_format = "BF16";
  query.job.sequences_per_step = sequences;
  query.job.engine = "megatron";
  return query;
}

RigGraph graph_of(const std::string& gpu, int cards, std::optional<Bytes> memory = std::nullopt) {
  auto rig = with_slots(rig_of(whole_catalog(), gpu, cards, ""), whole_catalog());
  for (auto& node : rig.nodes) node.memory = memory;
  return build_graph(rig, whole_catalog());
}

TrainingSearch search(const std::string& model, const Query& query, const RigGraph& graph, const TrainingPins& pins = {}) {
  return search_training(Evaluator{whole_catalog(), known_model(model), fitted(), query}, graph, pins, 0);
}

}  // namespace

// 64 heads and 48 layers on eight cards: tensor degrees 1, 2, 4, 8 divide the heads. With 1 the pipeline has 1 to 8 stages, with
// 2 up to 4, with 4 up to 2, with 8 one: 8 + 4 + 2 + 1. A pipeline of 3 leaves two copies and two idle cards.
TEST_CASE("shapes are the degrees that divide the model, with as many copies as cards and sequences allow") {
  const auto& model = known_model("megatron-22B");
  Job job;
  job.sequences_per_step = 16;
  const auto shapes = training_shapes(model, job, 8, {});
  CHECK(shapes.size() == 15);
  CHECK(std::count(shapes.begin(), shapes.end(), TrainingShape{1, 3, 2, 1}) == 1);
  job.sequences_per_step = 3;  // the ninth sequence of a step does not exist: three copies at most
  for (const auto& shape : training_shapes(model, job, 8, {})) CHECK(shape.data <= 3);
  TrainingPins pins;
  pins.tensor = 2, pins.data = 2;
  for (const auto& shape : training_shapes(model, job, 8, pins)) CHECK((shape.tensor == 2 && shape.data == 2));
}

// 16 sequences over 4 copies are 4 each: micro-batches of 4, 2 and 1 take 1, 2 and 4 steps, 3 takes as many as 2.
// Three ways of recomputation, stages 0 to 3 of sharding, one chunk: 3 x 3 x 4.
TEST_CASE("choices of a shape differ in what they do") {
  const auto& model = known_model("megatron-22B");
  Job job;
  job.sequences_per_step = 16;
  const auto choices = training_choices(model, job, {1, 1, 4, 1}, {}, false, 0);
  CHECK(choices.size() == 36);
  for (const auto& choice : choices) CHECK((choice.micro_sequences != 3 && choice.offload == Offload::none));
  CHECK(training_choices(model, job, {1, 1, 4, 1}, {}, true, 0).size() == 3 * 36);
  // Two machines of two cards: sharded over all copies or within a machine.
  CHECK(training_choices(model, job, {1, 1, 4, 1}, {}, false, 2).size() == 36 + 27);
  // 48 layers in 4 stages: 12 each, in 1, 2, 3, 4, 6 or 12 chunks. Micro-batches of 16, 8, 6, 4, 3, 2, 1 take 1, 2, 3, 4, 6, 8,
  // 16 steps; 4, 8 and 16 are whole rounds of four stages, and only those are interleaved.
  const auto staged = training_choices(model, job, {1, 4, 1, 1}, {}, false, 0);
  CHECK(staged.size() == 3u * (3 * 6 + 4));
}

TEST_CASE("no choice that fits is faster by 1 % than the one that is found") {
  const auto kind = GENERATE(JobKind::full_finetune, JobKind::lora);
  const auto query = training_question(kind, 8);
  const auto graph = graph_of("a100-sxm4-80gb", 4);
  const auto& model = known_model("qwen2.5-7b");
  const Evaluator evaluator{whole_catalog(), model, fitted(), query};
  const auto found = search_training(evaluator, graph, {}, 0);
  REQUIRE(found.fit > 0);
  std::int64_t tried = 0, fit = 0;
  for (const auto& shape : training_shapes(model, query.job, 4, {})) {
    TokenRate best{};
    for (const auto& choice : training_choices(model, query.job, shape, {}, false, 0)) {
      const auto result =
          evaluator.evaluate_training(graph, choice.plan, with_choice(query.job, choice), PeerAssumption::unknown_is_no);
      ++tried;
      fit += result.fits;
      if (result.fits) best = std::max(best, result.tokens.likely);
    }
    const auto at = std::find_if(found.shapes.begin(), found.shapes.end(), [&](const auto& s) { return s.shape == shape; });
    REQUIRE(at != found.shapes.end());
    CHECK(at->fits == (best > TokenRate{}));
    if (at->fits) CHECK(at->result->tokens.likely >= 0.99 * best);
  }
  CHECK(found.tried == tried);
  CHECK(found.fit == fit);
  CHECK(std::is_sorted(found.shapes.begin(), found.shapes.end(),
                       [](const auto& a, const auto& b) { return a.fits && (!b.fits || a.step < b.step); }));
}

TEST_CASE("states go to host memory only where the rig states how much there is, and only as much as it holds") {
  // 7.6e9 weights in full take 16 bytes each besides activations: 122 GB, more than one card of 24 GiB and than 64 GiB of host.
  const auto query = training_question(JobKind::full_finetune, 4);
  CHECK(search("qwen2.5-7b", query, graph_of("rtx-3090", 1)).fit == 0);
  CHECK_FALSE(search("qwen2.5-7b", query, graph_of("rtx-3090", 1)).host_memory_known);
  CHECK(search("qwen2.5-7b", query, graph_of("rtx-3090", 1, 64 * GiB)).fit == 0);
  const auto large = search("qwen2.5-7b", query, graph_of("rtx-3090", 1, 256 * GiB));
  REQUIRE(large.fit > 0);
  CHECK(large.shapes.front().choice.offload == Offload::parameters);
  CHECK(large.shapes.front().host.in(GiB) > 90);
  CHECK(large.shapes.front().result->training->parts.offload > Seconds{});
}

TEST_CASE("what is fixed stays fixed, and leaves no faster plan than a free search") {
  const auto query = training_question(JobKind::full_finetune, 64);
  const auto graph = graph_of("a100-sxm4-80gb", 8);
  const auto free = search("qwen2.5-7b", query, graph);
  TrainingPins pins;
  pins.sharding = 3, pins.checkpointing = Checkpointing::full, pins.pipeline = 1;
  const auto pinned = search("qwen2.5-7b", query, graph, pins);
  REQUIRE(pinned.fit > 0);
  for (const auto& found : pinned.shapes) {
    CHECK(found.choice.plan.sharding == 3);
    CHECK(found.choice.checkpointing == Checkpointing::full);
    CHECK(found.shape.pipeline == 1);
  }
  CHECK(1.01 * pinned.shapes.front().step >= free.shapes.front().step);
  CHECK(pinned.tried < free.tried);
}

TEST_CASE("experts are spread over the copies, in degrees that divide both") {
  const auto& model = known_model("mixtral-8x7b");
  Job job;
  job.sequences_per_step = 64;
  for (const auto& shape : training_shapes(model, job, 8, {})) {
    CHECK(8 % shape.expert == 0);
    CHECK(shape.data % shape.expert == 0);
  }
  TrainingPins pins;
  pins.expert = 8;
  CHECK(training_shapes(model, job, 8, pins) == std::vector<TrainingShape>{{1, 1, 8, 8}});
}

// Calculon counts 193,496 ways to run a 22B model on eight cards. With host memory to offload to and 20,480 sequences a step this
// search has more of them, and looks at each.
TEST_CASE("a quarter of a million plans of a 22B model on eight cards are looked at, and the best keeps its figures") {
  auto query = training_question(JobKind::full_finetune, 20480);
  const auto graph = graph_of("a100-sxm4-80gb", 8, 2048 * GiB);
  const auto found = search("megatron-22B", query, graph);
  CHECK(found.tried >= 193'496);
  REQUIRE(found.fit > 0);
  const auto& best = found.shapes.front();
  CHECK(best.result->training->step.in(second) == Approx(best.step.in(second)));
  // Published on these cards with 20,480 / 4 micro-steps of four sequences in eight tensor-parallel ranks, full recomputation:
  // 1.42 s each (arXiv:2205.05198, table 5). The best plan beats what was then thought best by the sequence-parallel figure, 1.10
  // s.
  CHECK(best.step.in(second) <= 1.10 * 20480 / 4);
}
