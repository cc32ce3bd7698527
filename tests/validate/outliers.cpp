// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/outliers.h"

#include <catch2/catch.hpp>

#include "validate/shipped_rows.h"

using namespace rigplan;

namespace {

const std::string head = "id,kind,gpu,gpu_count,parallel,engine,model,quant,batch,context,metric,value\n";

std::vector<std::string> named(const std::string& rows) {
  std::vector<std::string> ids;
  const auto read = read_measurements("rows.csv", head + rows);
  for (const auto& outlier : find_outliers(read, shipped_catalog())) ids.push_back(outlier.row->id);
  return ids;
}

std::string decode(const std::string& id, double value) {
  return id + ",decode,rtx-3090,1,single,llama.cpp-cuda,llama-3-8b,Q4_K_M,1,0,tokens_per_s," + std::to_string(value) + "\n";
}

}  // namespace

// Three equals at 100, 104 and 96 agree on 100. Two at 100 and two at 160 contradict each other, not one another's median.
TEST_CASE(
    "a row is an outlier when it lies a factor of 1.5 from three equals that agree, not below that and not with two equals") {
  const auto equals = decode("a", 100) + decode("b", 104) + decode("c", 96);
  CHECK(named(equals + decode("x", 149)).empty());
  CHECK(named(equals + decode("x", 157)) == std::vector<std::string>{"x"});
  CHECK(named(decode("a", 100) + decode("b", 104) + decode("x", 160)).empty());
  CHECK(named(decode("a", 100) + decode("b", 100) + decode("c", 160) + decode("d", 160)).empty());
}

// An 8B model in F16 reads 15 GB a token; 936 GB/s allow 62 token/s.
TEST_CASE("a decode rate above what reading the weights allows is named, one below is not") {
  const auto row = [](const std::string& value) {
    return "x,decode,rtx-3090,1,single,llama.cpp-cuda,llama-3-8b,F16,1,0,tokens_per_s," + value + "\n";
  };
  CHECK(named(row("59")).empty());
  CHECK(named(row("66")) == std::vector<std::string>{"x"});
}

TEST_CASE("a prompt that takes longer than its tokens one by one is named") {
  const auto row = [](const std::string& value) {
    return "x,prefill,rtx-3090,1,single,llama.cpp-cuda,llama-3-8b,F16,1,0,tokens_per_s," + value + "\n";
  };
  CHECK(named(row("2000")).empty());
  CHECK(named(row("1")) == std::vector<std::string>{"x"});
}
