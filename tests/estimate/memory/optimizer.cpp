// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/memory/optimizer.h"

#include <catch2/catch.hpp>

using namespace rigplan;

TEST_CASE("what optimizers keep for a weight") {
  struct Row {
    const char* name;
    double fp32, bf16;
  };
  const auto row =
      GENERATE(Row{"sgd", 0, 0}, Row{"sgd-momentum", 4, 2}, Row{"adamw", 8, 4},
               // Two moments of one byte, each with 4 bytes of scale for 256 values: 2 x (1 + 4/256) = 2.03125.
               Row{"adamw-8bit", 2.03125, 2.03125}, Row{"paged-adamw-8bit", 2.03125, 2.03125}, Row{"lion", 4, 2},
               Row{"lion-8bit", 1.015625, 1.015625}, Row{"adam", 8, 4}, Row{"paged-adamw", 8, 4}, Row{"adafactor", 0, 0});
  CAPTURE(row.name);
  const auto* optimizer = find_optimizer(row.name);
  REQUIRE(optimizer);
  CHECK(state_bytes_per_weight(*optimizer, 4) == Approx(row.fp32));
  CHECK(state_bytes_per_weight(*optimizer, 2) == Approx(row.bf16));
}
TEST_CASE("an optimizer is found however its name is spelt") {
  CHECK(find_optimizer("AdamW") == find_optimizer("adamw"));
  CHECK(find_optimizer("Paged_AdamW_8bit") == find_optimizer("paged-adamw-8bit"));
  CHECK_FALSE(find_optimizer("adam2"));
  CHECK_FALSE(find_optimizer("ada"));
}
