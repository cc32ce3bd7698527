// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/contention.h"

#include <catch2/catch.hpp>

using namespace rigplan;

namespace {

std::vector<double> shares(std::vector<double> capacity, const std::vector<std::vector<Hop>>& flows) {
  std::vector<Bandwidth> rates;
  for (const double c : capacity) rates.push_back(c * GB_per_s);
  std::vector<double> result;
  for (const auto share : fair_shares(rates, flows)) result.push_back(share.in(GB_per_s));
  return result;
}

}  // namespace

TEST_CASE("Flows on one link share it evenly") {
  CHECK(shares({12}, {{{0, 1}}, {{0, 1}}, {{0, 1}}}) == std::vector<double>{4, 4, 4});
}

TEST_CASE("What a flow cannot use, the others get") {
  // The textbook case: flow 0 crosses links of 10 and 4; flow 1 only the first, flow 2 only the second.
  // The link of 4 fills first at 2 each; flow 1 then has 8 of the first link.
  CHECK(shares({10, 4}, {{{0, 1}, {1, 1}}, {{0, 1}}, {{1, 1}}}) == std::vector<double>{2, 8, 2});
}

TEST_CASE("A flow that crosses a link twice counts twice") {
  // 1 x r + 2 x r = 12.
  CHECK(shares({12}, {{{0, 1}}, {{0, 2}}}) == std::vector<double>{4, 4});
}

TEST_CASE("A flow without links is not limited") {
  const auto result = shares({12}, {{}, {{0, 1}}});
  CHECK(result[0] > 1e300);
  CHECK(result[1] == 12);
}
