// SPDX-License-Identifier: Apache-2.0
#include "rigplan/import/gguf.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "import/gguf_writer.h"
#include "rigplan/json/data_error.h"

using namespace rigplan;
using test::small;
using test::Writer;

namespace {

GgufFile read(const Writer& from, std::uint64_t data = 1 << 20) {
  return std::get<GgufFile>(read_gguf_head("m.gguf", from.bytes, from.bytes.size() + data));
}

std::string error_of(const Writer& from, std::uint64_t file_size) {
  try {
    read_gguf_head("m.gguf", from.bytes, file_size);
    return "";
  } catch (const DataError& error) {
    return error.what();
  }
}

GgufFile part(const std::string& name, double count, double number, std::vector<GgufTensor> tensors) {
  GgufFile file;
  file.name = name;
  file.metadata["split.count"] = {count, 0};
  file.metadata["split.no"] = {number, 0};
  file.metadata["split.tensors.count"] = {3.0, 0};
  file.tensors = std::move(tensors);
  return file;
}

}  // namespace

TEST_CASE("versions 1 to 3 give the same shape and the exact bytes") {
  for (const int version : {1, 2, 3}) {
    INFO(version);
    const auto model = gguf_model(read(small(version)));
    CHECK(model.model.layers() == 2);
    CHECK(model.model.vocabulary == 100);
    CHECK(model.model.tied_embeddings);
    CHECK(model.model.groups.size() == 1);
    CHECK(std::get<GroupedQuery>(model.model.groups[0].attention) == GroupedQuery{4, 2, 64, 64});
    CHECK(std::get<DenseFeedForward>(model.model.groups[0].feed_forward) == DenseFeedForward{512, true});
    // Embedding 100 rows * 210; a layer: norm 1024, q 256 * 144, k 128 * 144, v 128 * 210, output 256 * 144, gate and up 512 *
    // 144 each, down 512 blocks * 144.
    const double layer = 1024 + 144 * (256 + 128 + 256 + 512 * 3) + 128 * 210;
    CHECK(model.weights.total().in(units::byte) == 100 * 210 + 2 * layer);
    CHECK(model.weight_format == "Q4_K");
  }
}

TEST_CASE("a head that is longer than the bytes at hand asks for more, one longer than the file is an error") {
  const auto whole = small();
  const auto half = std::string_view{whole.bytes}.substr(0, whole.bytes.size() / 2);
  const auto result = read_gguf_head("m.gguf", half, whole.bytes.size() + (1 << 20));
  REQUIRE(std::holds_alternative<GgufNeedsMore>(result));
  CHECK(std::get<GgufNeedsMore>(result).at_least > half.size());
  // The same start as a whole file of 656 bytes: its first tensor alone needs 21,000.
  CHECK_THROWS_WITH(read_gguf_head("m.gguf", half, half.size()), Catch::Contains("outside the file"));
  // A head that states two values and ends behind the first key.
  Writer cut;
  cut.head(0, 2);
  cut.text("general.architecture");
  CHECK_THAT(error_of(cut, cut.bytes.size()), Catch::Contains("ends in the middle"));
}

TEST_CASE("hostile counts are held against the file's size before anything is allocated", "[bad-input-35]") {
  Writer tensors;
  tensors.head(std::uint64_t{1} << 60, 0);
  CHECK_THAT(error_of(tensors, 1000), Catch::Contains("tensors"));
  Writer values;
  values.head(0, ~std::uint64_t{0});
  CHECK_THAT(error_of(values, 1000), Catch::Contains("metadata values"));
  Writer name;
  name.head(0, 1);
  name.count(std::uint64_t{1} << 62);
  CHECK_THAT(error_of(name, 1000), Catch::Contains("characters of a key"));
  Writer array;
  array.head(0, 1);
  array.text("a");
  array.number(std::uint32_t{9});
  array.number(std::uint32_t{10});
  array.count(std::uint64_t{1} << 61);
  CHECK_THAT(error_of(array, 1000), Catch::Contains("array values"));
}

TEST_CASE("tensors whose size overflows or lies outside the file are refused", "[bad-input-35]") {
  const auto with = [](const std::vector<std::uint64_t>& dimensions, std::uint32_t type, std::uint64_t offset) {
    Writer out;
    out.head(1, 0);
    out.tensor("t", dimensions, type, offset);
    return out;
  };
  CHECK_THAT(error_of(with({std::uint64_t{1} << 40, std::uint64_t{1} << 40}, 0, 0), 1000),
             Catch::Contains("impossible dimensions"));
  CHECK_THAT(error_of(with({256, 0}, 0, 0), 1000), Catch::Contains("impossible dimensions"));
  CHECK_THAT(error_of(with({256}, 0, ~std::uint64_t{0}), 10'000), Catch::Contains("outside the file"));
  CHECK_THAT(error_of(with({100}, 12, 0), 10'000), Catch::Contains("no multiple of 256"));
  CHECK_THAT(error_of(with({256}, 99, 0), 10'000), Catch::Contains("unknown type 99"));
  CHECK_THAT(error_of(with({1, 1, 1, 1, 1}, 0, 0), 10'000), Catch::Contains("at most 4"));
  // 256 values in F32 are 1024 bytes behind the head, which is rounded up to 32.
  const auto one = with({256}, 0, 0);
  const auto data = (one.bytes.size() + 31) / 32 * 32;
  CHECK(error_of(one, data + 1024) == "");
  CHECK_THAT(error_of(one, data + 1023), Catch::Contains("cut off"));
}

TEST_CASE("other files and other versions are named") {
  CHECK_THAT(error_of(Writer{3, "PK\3\4abcdefghijklmnop"}, 100), Catch::Contains("no GGUF file"));
  Writer later{4, ""};
  later.head(0, 0);
  CHECK_THAT(error_of(later, 100), Catch::Contains("version 4"));
}

TEST_CASE("a missing key is an error with its name; missing KV heads are assumed aloud", "[bad-input-36]") {
  CHECK_THROWS_WITH(gguf_model(read(small(3, false))), Catch::Contains("llama.feed_forward_length"));
  const auto silent = gguf_model(read(small(3, true, false)));
  CHECK(std::get<GroupedQuery>(silent.model.groups[0].attention).kv_heads == 4);
  REQUIRE(silent.model.assumed.size() == 1);
}

TEST_CASE("per-layer arrays must have one value a layer", "[bad-input-8]") {
  const auto with = [](const std::vector<std::int32_t>& kv_heads) {
    Writer out;
    out.head(2, 6);
    out.value("general.architecture", "x");
    out.value("x.block_count", 2);
    out.value("x.embedding_length", 256);
    out.value("x.attention.head_count", 4);
    out.values("x.attention.head_count_kv", kv_heads);
    out.value("x.vocab_size", 10);
    out.tensor("blk.0.attn_k.weight", {256, 64}, 0, 0);
    out.tensor("blk.1.attn_k.weight", {256, 256}, 0, 0);
    return gguf_model(read(out));
  };
  const auto varied = with({1, 4});
  REQUIRE(varied.model.groups.size() == 2);
  CHECK(std::get<GroupedQuery>(varied.model.groups[1].attention).kv_heads == 4);
  CHECK_THROWS_WITH(with({1}), Catch::Contains("2 layers"));
}

TEST_CASE("only a strict pattern names a part", "[bad-input-37]") {
  CHECK(gguf_part_names("best-of-breed.gguf").empty());
  CHECK(gguf_part_names("m-00004-of-00003.gguf").empty());
  CHECK(gguf_part_names("m-00000-of-00003.gguf").empty());
  CHECK(gguf_part_names("m-1-of-3.gguf").empty());
  const auto names = gguf_part_names("dir/m-00002-of-00003.gguf");
  REQUIRE(names.size() == 3);
  CHECK(names[0] == "dir/m-00001-of-00003.gguf");
}

TEST_CASE("parts are joined when they agree, and refused when they do not", "[bad-input-32][bad-input-34]") {
  const GgufTensor t{"t", {1}, "F32", Bytes{4}};
  const GgufFile good[] = {part("a", 2, 0, {t}), part("b", 2, 1, {t, t})};
  CHECK(join_gguf_parts(good).tensor_bytes().in(units::byte) == 12);
  const GgufFile other_count[] = {part("a", 2, 0, {t}), part("b", 3, 1, {t, t})};
  CHECK_THROWS_WITH(join_gguf_parts(other_count), Catch::Contains("split.count"));
  const GgufFile order[] = {part("a", 2, 0, {t}), part("b", 2, 0, {t, t})};
  CHECK_THROWS_WITH(join_gguf_parts(order), Catch::Contains("expected part 2"));
  const GgufFile few[] = {part("a", 2, 0, {t}), part("b", 2, 1, {t})};
  CHECK_THROWS_WITH(join_gguf_parts(few), Catch::Contains("3 tensors"));
  CHECK_THROWS_WITH(join_gguf_parts(std::span{good, 1}), Catch::Contains("one of 2 parts"));
}

TEST_CASE("a file on the disk is read to the byte, and a missing part is named", "[bad-input-34]") {
  const auto folder = std::filesystem::temp_directory_path() / "rigplan-test-gguf";
  std::filesystem::create_directories(folder);
  const auto path = (folder / "m.gguf").string();
  const auto written = small();
  std::ofstream{path, std::ios::binary} << written.bytes << std::string(1 << 18, '\0');
  CHECK(load_gguf(path).weights.total() == read(written).tensor_bytes());
  const auto first = (folder / "p-00001-of-00002.gguf").string();
  std::ofstream{first, std::ios::binary} << written.bytes << std::string(1 << 18, '\0');
  std::string notice;
  CHECK_THROWS_WITH(load_gguf((folder / "p-00002-of-00002.gguf").string(), &notice),
                    Catch::Contains("p-00002-of-00002.gguf") && Catch::Contains("missing"));
  CHECK_THAT(notice, Catch::Contains("p-00001-of-00002.gguf"));
  CHECK_THROWS_AS(load_gguf((folder / "none.gguf").string()), DataError);
  std::filesystem::remove_all(folder);
}
