// SPDX-License-Identifier: Apache-2.0
// --model with a file: what the file says counts, to the byte.
#include "cli/models.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "import/gguf_writer.h"
#include "rigplan/import/gguf.h"
#include "rigplan/json/data_error.h"
#include "rigplan/search/estimate_rig.h"

using namespace rigplan;

namespace {

/// A folder that is gone when the test ends.
struct TestFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "rigplan-test-models";
  TestFolder() {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~TestFolder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream{path / name, std::ios::binary} << bytes;
    return (path / name).string();
  }
};

Session quiet_session() {
  GlobalOptions options;
  options.quiet = true;
  return Session{options};
}

/// Weights of a job on one card, as `rigplan estimate` has them.
Bytes estimated_weights(const Session& session, JobOptions options) {
  const auto model = model_of(session, options);
  const auto calibrations = built_in_calibrations();
  const Evaluator evaluator{session.catalog(), model, calibrations, query_of(options, session.catalog())};
  const auto rig = rig_of(session.catalog(), "rtx-3090", 1, "");
  return estimate_rig(evaluator, {rig, rig.nodes.front().board, ""}).candidate.best.weights;
}

std::string refusal_of(const std::string& model) {
  JobOptions options;
  options.job.model = model;
  try {
    model_of(quiet_session(), options);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

constexpr auto config = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 256,
  "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 512, "vocab_size": 100,
  "tie_word_embeddings": true, "max_position_embeddings": 4096, "torch_dtype": "bfloat16"})";

}  // namespace

TEST_CASE("an estimate of a GGUF file holds exactly the bytes of its tensors") {
  const TestFolder folder;
  const auto session = quiet_session();
  JobOptions options;
  options.job.model = folder.write("m.gguf", test::whole_file(test::small()));
  // Embedding 100 rows x 210 bytes; a layer: norm 1,024, matrices of 144 bytes a block of 256 and one of 210; see gguf.cpp.
  const double layer = 1024 + 144 * (256 + 128 + 256 + 512 * 3) + 128 * 210;
  CHECK(estimated_weights(session, options).in(byte) == 100 * 210 + 2 * layer);

  SECTION("unless another format is asked for") {
    auto other = options;
    other.quant = "F16";
    // 25,600 values of the embedding and 590,336 of each layer, norms in F32 where the rest is F16.
    const double values = 25'600 + 2 * (256 * 256 * 2 + 256 * 128 * 2 + 3 * 256 * 512);
    CHECK(estimated_weights(session, other).in(byte) == Approx(2 * values).epsilon(0.01));
  }
}

TEST_CASE("the number format of a file becomes that of the job") {
  const TestFolder folder;
  const auto session = quiet_session();
  JobOptions options;
  options.job.model = folder.write("m.gguf", test::whole_file(test::small()));
  const auto model = model_of(session, options);
  CHECK(options.quant.starts_with("Q4_K"));
  CHECK_FALSE(model.file_weights.empty());

  JobOptions training;
  training.job.model = options.job.model;
  training.method = "qlora";
  CHECK(model_of(session, training).file_weights.empty());
  CHECK(training.quant.empty());

  JobOptions own;
  own.job.model = folder.write("c/config.json", config);
  CHECK(model_of(session, own).layers() == 2);
  CHECK(own.quant == "BF16");
  JobOptions by_folder;
  by_folder.job.model = (folder.path / "c").string();
  CHECK(model_of(session, by_folder).hidden == 256);
}

TEST_CASE("a split file is read from any of its parts", "[bad-input-32][bad-input-33]") {
  const TestFolder folder;
  auto one = test::small();
  // The same model in one file, and in two parts that share out its tensors: here the second part holds none.
  test::Writer second;
  second.head(0, 3);
  second.value("split.count", 2);
  second.value("split.no", 1);
  second.value("split.tensors.count", 17);
  test::Writer first;
  first.head(17, 10);
  for (const auto& [key, number] :
       {std::pair{"split.count", 2u}, std::pair{"split.no", 0u}, std::pair{"split.tensors.count", 17u}})
    first.value(key, number);
  first.bytes += one.bytes.substr(4 + 4 + 8 + 8);  // without magic, version and the two counts
  folder.write("m-00001-of-00002.gguf", test::whole_file(first));
  const auto session = quiet_session();
  JobOptions options;
  options.job.model = folder.write("m-00002-of-00002.gguf", test::whole_file(second));
  JobOptions whole;
  whole.job.model = folder.write("m.gguf", test::whole_file(one));
  CHECK(estimated_weights(session, options) == estimated_weights(session, whole));
}

TEST_CASE("files that cannot be planned with are refused with their name") {
  const TestFolder folder;
  CHECK_THAT(refusal_of((folder.path / "none.gguf").string()), Catch::Contains("none.gguf") && Catch::Contains("no such file"));
  CHECK_THAT(refusal_of("no-such-model"), Catch::Contains("--model: no model"));
  CHECK_THAT(refusal_of(folder.write("bert/config.json", R"({"architectures": ["BertForMaskedLM"], "hidden_size": 64,
    "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100})")),
             Catch::Contains("embedding or reranking model"));
  CHECK_THAT(refusal_of(folder.write("bad.gguf", "PK\3\4 this is something else")), Catch::Contains("no GGUF file"));
}
