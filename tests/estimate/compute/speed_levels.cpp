// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "estimate/compute/round_work.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

bool has_level(const std::string& engine, const std::string& date, bool recurrent, const std::string& level) {
  auto work = round_work();
  if (recurrent) work.recurrent_layers = 0.5;
  auto card = round_card();
  card.vendor = "nvidia";
  const auto levels = speed_levels({engine, date, true, "single"}, card, work);
  return std::find(levels.begin(), levels.end(), level) != levels.end();
}

}  // namespace

TEST_CASE("only old builds of llama.cpp compute recurrent layers from elementary operations") {
  CHECK(has_level("llama.cpp", "2025-01", true, "recurrent:unfused"));
  CHECK_FALSE(has_level("llama.cpp", "2025-01", false, "recurrent:unfused"));
  CHECK_FALSE(has_level("vllm", "2025-01", true, "recurrent:unfused"));
  CHECK_FALSE(has_level("llama.cpp", "2026-06", true, "recurrent:unfused"));
  CHECK_FALSE(has_level("llama.cpp", "", true, "recurrent:unfused"));
}

TEST_CASE("a build belongs to the era that ends after it; a year alone may be its end") {
  CHECK(era_of("2024-04") == "before-2024-05");
  CHECK(era_of("2024-05") == "before-2025-06");
  CHECK(era_of("2025-06") == "before-2026-03");
  CHECK(era_of("2024") == "before-2025-06");
  CHECK(era_of("2026-03").empty());
  CHECK(era_of("").empty());
  CHECK(has_level("llama.cpp", "2024-04", false, "engine:llama.cpp-cuda|era:before-2024-05"));
}
