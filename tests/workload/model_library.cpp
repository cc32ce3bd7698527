// SPDX-License-Identifier: Apache-2.0
#include "rigplan/workload/model_library.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "rigplan/json/json_file.h"
#include "rigplan/workload/kv_cache.h"
#include "rigplan/workload/parameters.h"

using namespace rigplan;

TEST_CASE("models are found by id, alias and the spellings of hubs and files") {
  ModelLibrary library;
  for (const auto* name : {"qwen2.5-32b", "Qwen/Qwen2.5-32B-Instruct", "Qwen2.5_32B", "qwen2.5-32b-instruct"}) {
    INFO(name);
    REQUIRE(library.find(name));
    CHECK(library.find(name)->id == "qwen2.5-32b");
  }
  CHECK(library.find("meta-llama/Llama-3.1-8B-Instruct")->id == "llama-3.1-8b");
  CHECK(library.find("qwen9-1b") == nullptr);
  CHECK(library.find("") == nullptr);
}

TEST_CASE("there are at least 200 shapes and no name means two of them") {
  ModelLibrary library;
  CHECK(library.entries().size() >= 200);
  std::map<std::string, std::string> names;
  for (const auto& model : library.entries()) {
    std::set<std::string> own{folded_model_name(model.id)};
    for (const auto& alias : model.aliases) own.insert(folded_model_name(alias));
    for (const auto& name : own) {
      INFO(name << " in " << model.id);
      CHECK(names.emplace(name, model.id).second);
    }
  }
}

TEST_CASE("computed parameters agree with published totals") {
  ModelLibrary library;
  int compared = 0, near = 0;
  for (const auto& model : library.entries()) {
    if (!model.stated_parameters) continue;
    const double off = count_parameters(model).total() / *model.stated_parameters - 1;
    INFO(model.id << ": " << off * 100 << " %");
    CHECK(std::abs(off) < 0.015);
    ++compared;
    near += std::abs(off) < 0.005;
  }
  CHECK(compared >= 100);
  CHECK(near >= 0.95 * compared);
}

TEST_CASE("hybrid, sliding, latent and shared caches have the sizes that engines print") {
  ModelLibrary library;
  const auto mib = [&](const char* name, double context) {
    return kv_cache_bytes(*library.find(name), {.context = Tokens{context}}).in(units::MiB);
  };
  // Qwen3.5 9B: 8 full layers of 4 heads x 256: 8 * 2 * 1024 * 2 bytes = 32 KiB a token; 24 states of 32 x 128 x 128 values and
  // 3 columns of 8192 in fp32: 24 * 548864 * 4 = 50.25 MiB.
  CHECK(mib("qwen3.5-9b", 32768) == Approx(1024 + 50.25));
  // GLM 4.7 Flash: 47 * 576 * 2 bytes a token.
  CHECK(mib("glm-4.7-flash", 1024) == Approx(47 * 576 * 2 / 1024.0));
  // Gemma 4 E2B: 3 full layers of one head of 512 and 12 sliding of one head of 256 keep a cache; 20 more reuse it.
  CHECK(mib("gemma-4-e2b", 8192) == Approx((3 * 2 * 512 * 2 * 8192.0 + 12 * 2 * 256 * 2 * 512.0) / 1048576));
}

TEST_CASE("a user's file changes the fields that it states and adds entries") {
  ModelLibrary library;
  const auto layers = library.find("llama-3.1-8b")->layers();
  const auto file =
      JsonFile::parse("mine.json", R"({"schema": "rigplan/models/1", "sources": {"me": {"where": "my notes"}}, "models": [
    {"id": "llama-3.1-8b", "source": "me", "vocabulary": 1000},
    {"id": "tiny", "source": "me", "hidden": 8, "vocabulary": 10,
     "groups": [{"count": 2, "attention": {"kind": "grouped-query", "heads": 2, "kv_heads": 1, "head_size": 4},
                 "feed_forward": {"kind": "dense", "width": 16}}]}]})");
  library.add(file);
  CHECK(library.find("llama-3.1-8b")->vocabulary == 1000);
  CHECK(library.find("llama-3.1-8b")->layers() == layers);
  CHECK(library.find("llama-3.1-8b")->overlays == 1);
  CHECK(library.find("tiny")->hidden == 8);
}

TEST_CASE("a broken models file names the place and what was expected") {
  const auto read = [](const std::string& entry) {
    std::vector<TransformerModel> models;
    read_models(JsonFile::parse(
                    "m.json", R"({"schema": "rigplan/models/1", "sources": {"me": {"where": "x"}}, "models": [)" + entry + "]}"),
                models);
  };
  const std::string head = R"({"id": "a", "source": "me", "hidden": 8, "vocabulary": 10, "groups": [{"count": 1, "attention": )";
  const std::string tail = R"(, "feed_forward": {"kind": "dense", "width": 4}}]})";
  CHECK_NOTHROW(read(head + R"({"kind": "grouped-query", "heads": 2, "kv_heads": 1, "head_size": 4})" + tail));
  CHECK_THROWS_WITH(read(head + R"({"kind": "grouped-query", "heads": 3, "kv_heads": 2, "head_size": 4})" + tail),
                    Catch::Contains("/models/0/groups/0/attention/kv_heads") && Catch::Contains("divisor"));
  CHECK_THROWS_WITH(read(head + R"({"kind": "grouped-query", "heads": 0, "kv_heads": 1, "head_size": 4})" + tail),
                    Catch::Contains("heads"));
  CHECK_THROWS_WITH(read(head + R"({"kind": "grouped", "heads": 2})" + tail), Catch::Contains("grouped-query"));
  CHECK_THROWS_WITH(read(head + R"({"kind": "latent", "heads": 2})" + tail), Catch::Contains("kv_rank"));
  CHECK_THROWS_AS(read(R"({"id": "a", "source": "me", "hidden": 8})"), DataError);
  const auto entry = head + R"({"kind": "grouped-query", "heads": 2, "kv_heads": 1, "head_size": 4})" + tail;
  CHECK_THROWS_WITH(read(entry + ",\n" + entry), Catch::Contains("stands twice; first on line 1"));
}
