// SPDX-License-Identifier: Apache-2.0
#include "rigplan/workload/number_format.h"

#include <catch2/catch.hpp>
#include <set>

using namespace rigplan;

TEST_CASE("blocks have the bytes of their structs") {
  // Q4_K: 256 values in 128 bytes of nibbles, 12 bytes of scales and minima, two fp16: 144.
  CHECK(find_number_format("Q4_K")->bits_per_value() == Approx(4.5));
  // Q6_K: 128 + 64 bytes of bits, 16 scales, one fp16: 210.
  CHECK(find_number_format("q6_k")->bits_per_value() == Approx(6.5625));
  // MXFP4: 32 nibbles and one exponent: 17 bytes.
  CHECK(find_number_format("MXFP4")->bits_per_value() == Approx(4.25));
  // NVFP4: 16 nibbles and one fp8 scale: 9 bytes.
  CHECK(find_number_format("NVFP4")->bits_per_value() == Approx(4.5));
  // NF4: an fp32 for 64 values is half a bit each; with double quantisation 8/64 + 32/(64*256) = 0.127 bits.
  CHECK(find_number_format("NF4")->bits_per_value() == Approx(4.5));
  CHECK(find_number_format("NF4_DQ")->bits_per_value() == Approx(4.127).epsilon(1e-4));
  // GPTQ with groups of 128: 4 bits + (16 + 4) / 128.
  CHECK(find_number_format("GPTQ4_G128")->bits_per_value() == Approx(4.15625));
  CHECK(find_number_format("Q8_0")->bytes(32).in(units::byte) == 34);
}

TEST_CASE("a name that is not a format is not found") {
  CHECK(find_number_format("Q9_K") == nullptr);
  CHECK(find_number_format("") == nullptr);
  CHECK(find_weight_mix("A22B") == nullptr);
  CHECK(find_weight_mix("") == nullptr);
}

TEST_CASE("mixes are found by the spellings that tools and people use") {
  for (const auto* spelling : {"Q4_K_M", "q4_k_m", "Q4_K - Medium", "UD-Q4_K_M", "Q4_K"}) {
    REQUIRE(find_weight_mix(spelling));
    CHECK(find_weight_mix(spelling)->name == "Q4_K_M");
  }
  CHECK(find_weight_mix("GPTQ-4bit g32")->name == "GPTQ-Int4-g32");
  CHECK(find_weight_mix("bnb 4bit")->name == "NF4");
  CHECK(find_weight_mix("fp16")->name == "F16");
}

TEST_CASE("every mix is complete and every name is taken once") {
  std::set<std::string_view> names;
  for (const auto& mix : weight_mixes()) {
    INFO(mix.name);
    CHECK(names.insert(mix.name).second);
    CHECK((mix.bulk && mix.others && mix.embedding && mix.head && mix.small));
    CHECK(find_weight_mix(mix.name)->name == mix.name);
  }
  std::set<std::string_view> formats;
  for (const auto& format : number_formats()) CHECK(formats.insert(format.name).second);
}
