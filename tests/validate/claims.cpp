// SPDX-License-Identifier: Apache-2.0
// The claims of examples/claims against the verdicts that people reached who recomputed them.
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "rigplan/json/json_file.h"
#include "rigplan/validate/check_claim.h"
#include "rigplan/validate/claim_sum.h"

using namespace rigplan;

namespace {

ClaimContext context() {
  static const Catalog catalog = read_catalog(built_in_catalog_files());
  static ModelLibrary models;
  static const Calibrations calibrations = built_in_calibrations();
  return {catalog, models, calibrations};
}

CheckedClaim verdict_on(const std::string& id) {
  const auto path = std::string{RIGPLAN_SOURCE_DIR} + "/examples/claims/" + id + ".json";
  std::ifstream stream{path};
  INFO(path);
  REQUIRE(stream);
  return check_claim(context(), read_claim(JsonFile::parse(path, {std::istreambuf_iterator<char>{stream}, {}})));
}

/// What was found by hand. Refuted: wrong, implausible, impossible, out of date. Open: nobody could verify it.
enum class Found { holds, refuted, open };

const std::map<std::string, Found>& found_by_hand() {
  static const auto table = [] {
    std::map<std::string, Found> made;
    const auto add = [&](const std::string& ids, Found found) {
      std::istringstream words{ids};
      for (std::string id; words >> id;) made.emplace(id, found);
    };
    add("a01 a04 a06 a08 a10 a11 a13 a14 a16 a18 a19 a21 a22 a24 b01 b02 b03 b04 b07 b08 b09 b10 b12 b14 b18 b21 b22 b24 b25 b26 "
        "b27 c01 c07 c12 c13 c16 c19 c23 c25",
        Found::holds);
    add("a02 a05 a07 a09 a15 a17 a20 a23 b05 b06 b13 b15 b16 b17 b19 b28 c03 c04 c05 c06 c08 c09 c10 c11 c14 c17 c18 c21 c24",
        Found::refuted);
    add("a03 a12 b11 b20 b23 b29 c02 c15 c20 c22", Found::open);
    return made;
  }();
  return table;
}

/// Claims on which the program says something else, and why.
const std::map<std::string, std::string> explained{
    {"a05",
     "the catalog keeps the last release with full support (5.7), not when maintenance was announced: one release of difference"},
    {"a08",
     "right when the fork was young and out of date since; the catalog keeps the newest good version and calls 6.4.3 wrong"},
    {"c01", "an order in the news; the catalog keeps no orders"},
    {"c06", "the catalog has no date of release for this card"},
};

}  // namespace

TEST_CASE("All 78 claims have a file, and at least nine tenths of those that can be judged get the verdict found by hand") {
  REQUIRE(found_by_hand().size() == 78);
  int judged = 0, agree = 0;
  for (const auto& [id, found] : found_by_hand()) {
    const auto checked = verdict_on(id);
    if (found == Found::open) continue;
    ++judged;
    const bool same = found == Found::holds ? checked.verdict == Verdict::consistent
                                            : checked.verdict == Verdict::implausible || checked.verdict == Verdict::impossible;
    agree += same;
    CAPTURE(id, to_text(checked.verdict), checked.parts.front().text);
    CHECK(same != explained.contains(id));
  }
  CHECK(judged == 68);
  CHECK(agree >= 0.9 * judged);
}

TEST_CASE("Claims of sellers and guides about what fits are refuted, and the right one beside them is not") {
  for (const auto* id : {"4x2080ti22g-671b", "1x4090-70b-qlora", "1xh100-168b", "4x3090-405b-q4"}) {
    CAPTURE(id);
    CHECK(verdict_on(id).verdict >= Verdict::implausible);
  }
  CHECK(verdict_on("4x2080ti22g-671b").verdict == Verdict::impossible);  // 404 GB of weights for 94 GB of memory
  CHECK(verdict_on("8x3090-72b-f16").verdict == Verdict::consistent);
}

TEST_CASE("The rent of the advertisement belongs to another schedule, and its training beats the peak of its own card") {
  const auto rent = verdict_on("c08");
  CHECK(rent.verdict == Verdict::implausible);
  CHECK_THAT(rent.parts.front().text,
             Catch::Contains("40,550 yuan") && Catch::Contains("165,888 yuan, which is what was stated"));
  CHECK_THAT(verdict_on("c09").parts.front().text, Catch::Contains("= 126 rounds; stated: 31 rounds"));
  // 4 x 8e9 x 6.3e9 operations in 10,620 s on 8 cards: 2,373 TFLOP/s each, 182 % of 1,307.
  const auto training = verdict_on("c17");
  CHECK(training.verdict == Verdict::impossible);
  CHECK_THAT(training.parts.front().text, Catch::Contains("182 % of its peak"));
}

TEST_CASE("Sums are computed by the usual rules, with figures of the catalog in square brackets") {
  const auto at = context();
  const auto value = [&](const std::string& sum) { return compute_sum(sum, at.catalog, at.models).value; };
  CHECK(value("2 + 3 * 4 - 6 / 3") == Approx(12));
  CHECK(value("(2 + 3) * 4") == Approx(20));
  CHECK(value("8 - 3 - 2") == Approx(3));
  CHECK(value("1.2e9 / 1e9") == Approx(1.2));
  CHECK(value("2 * [gpus.rx-7900-xtx.vram_bandwidth]") == Approx(1920));
  CHECK(value("[parameters.llama-3.1-8b]") == Approx(8.03).epsilon(0.01));
  CHECK(compute_sum("[price.rx-7900-xtx]", at.catalog, at.models).by_price);
  for (const auto* wrong :
       {"", "2 +", "(2", "2)", "2 3", "[gpus.rx-7900-xtx]", "[gpus.nothing.vram]", "[price.nothing]", "1 / 0", "two"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(value(wrong), SumError);
  }
  CHECK_THROWS_AS(value(std::string(1000, '(')), SumError);
}

TEST_CASE("A sum holds within its tolerance and on the right side of a bound") {
  const auto verdict = [](double says, Relation relation) {
    SumCheck check;
    check.sum = "100";
    check.says = says;
    check.relation = relation;
    return check_part(context(), check).verdict;
  };
  CHECK(verdict(102, Relation::equal) == Verdict::consistent);
  CHECK(verdict(103, Relation::equal) == Verdict::impossible);
  CHECK(verdict(50, Relation::at_most) == Verdict::consistent);
  CHECK(verdict(110, Relation::at_most) == Verdict::impossible);
  CHECK(verdict(110, Relation::at_least) == Verdict::consistent);
  CHECK(verdict(50, Relation::at_least) == Verdict::impossible);
}

TEST_CASE("A stream cannot be faster than the memory that it reads, and training not faster than the peak") {
  // Of 32B in Q4_K_M a token reads 19.4 GB, all but the embedding: 960 / 19.4 = 49.5 token/s at most.
  SpeedCheck speed{.model = {.id = "qwen2.5-32b"}, .cards = {"rx-7900-xtx", 1}};
  speed.low = speed.high = 50 * token_per_s;
  CHECK(check_part(context(), speed).verdict == Verdict::impossible);
  speed.low = speed.high = 25 * token_per_s;
  CHECK(check_part(context(), speed).verdict == Verdict::consistent);
  speed.low = speed.high = 3 * token_per_s;
  CHECK(check_part(context(), speed).verdict == Verdict::implausible);

  // 6 x 1e9 x 1e9 operations in 1,000 s are 6 PFLOP/s; in 100,000 s 60 TFLOP/s, 49 % of 122.8; in 75,000 s 65 %.
  TrainingCheck training{.model = {.id = "", .parameters = 1e9}, .cards = {"rx-7900-xtx", 1}};
  training.kind = JobKind::full_finetune;
  training.tokens = 1e9 * token;
  training.time = 1000 * second;
  CHECK(check_part(context(), training).verdict == Verdict::impossible);
  training.time = 75'000 * second;
  CHECK(check_part(context(), training).verdict == Verdict::implausible);
  training.time = 100'000 * second;
  CHECK(check_part(context(), training).verdict == Verdict::consistent);
}

// Offers of H100 in 2026 ask 1.87 to 10.98 dollars, 13 to 79 yuan.
TEST_CASE("A rent is held against the offers of the same card, or of others by memory and arithmetic where there are none") {
  const auto verdict = [](const std::string& gpu, double price) {
    return check_part(context(), RentCheck{gpu, price * yuan_per_hour}).verdict;
  };
  CHECK(verdict("h100-sxm5-80gb", 3) == Verdict::implausible);
  CHECK(verdict("h100-sxm5-80gb", 15) == Verdict::consistent);
  CHECK(verdict("h100-sxm5-80gb", 1000) == Verdict::implausible);
  CHECK(verdict("mi450-claimed-003", 1.2) == Verdict::implausible);
  CHECK(verdict("mi450-claimed-003", 14) == Verdict::consistent);
  CHECK(verdict("no-such-card", 1) == Verdict::unverifiable);
}

TEST_CASE("A claim file with a mistake is refused with its place") {
  const auto read = [](const std::string& checks) {
    return read_claim(
        JsonFile::parse("claim.json", R"({"schema": "rigplan/claim/1", "id": "x", "says": "something")" + checks + "}"));
  };
  CHECK_THROWS_WITH(read(""), Catch::Contains("neither \"checks\" nor \"why\""));
  CHECK_THROWS_WITH(read(R"(, "checks": [{"check": "summ", "sum": "1", "says": 1}])"),
                    Catch::Contains("/checks/0/check") && Catch::Contains("sum"));
  CHECK_THROWS_WITH(read(R"(, "checks": [{"check": "sum", "sum": "1"}])"), Catch::Contains("has no \"says\""));
  CHECK_THROWS_WITH(read(R"(, "checks": [{"check": "fits", "gpu": "rtx-3090"}])"), Catch::Contains("neither \"model\" nor"));
  CHECK_THROWS_WITH(read(R"(, "checks": [{"check": "figure", "of": "gpus.vram", "says": "1"}])"),
                    Catch::Contains("expected family.id.field"));
  CHECK_THROWS_WITH(read(R"(, "checks": [{"check": "sum", "sum": "1", "says": 1, "colour": 2}])"), Catch::Contains("colour"));
}
