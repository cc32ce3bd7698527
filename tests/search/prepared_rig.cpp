// SPDX-License-Identifier: Apache-2.0
// A prepared rig must answer what the evaluator answers, for any load and any prices.
#include "rigplan/search/prepared_rig.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <random>

#include "rigplan/catalog/stated_price.h"
#include "rigplan/json/cursor.h"
#include "rigplan/workload/model_library.h"

using namespace rigplan;

namespace {

const Catalog& catalog() {
  static const Catalog shipped = read_catalog(built_in_catalog_files());
  return shipped;
}
const Calibrations& calibrations() {
  static const Calibrations shipped = built_in_calibrations();
  return shipped;
}
const TransformerModel& model(const std::string& name) {
  static ModelLibrary library;
  const auto* found = library.find(name);
  REQUIRE(found);
  return *found;
}

Build example(const std::string& name) {
  const auto path = std::string{RIGPLAN_SOURCE_DIR} + "/examples/" + name + ".json";
  std::ifstream stream{path};
  REQUIRE(stream);
  const auto file = JsonFile::parse(path, {std::istreambuf_iterator<char>{stream}, {}}, JsonComments::allowed);
  const auto rig = read_rig(Cursor{file}, catalog());
  return {rig, rig.nodes.front().board, ""};
}

Query question(const std::string& model_name, const std::string& engine = "llama.cpp") {
  Query query;
  query.job.model = model_name;
  query.job.engine = engine;
  query.schedule = default_schedule(catalog());
  return query;
}

void check_same(const Candidate& prepared, const Candidate& evaluated) {
  CHECK(prepared.misfit == evaluated.misfit);
  CHECK(prepared.best.fits == evaluated.best.fits);
  CHECK(prepared.best.plan == evaluated.best.plan);
  CHECK(prepared.best.inference.has_value() == evaluated.best.inference.has_value());
  if (prepared.best.inference && evaluated.best.inference) {
    CHECK(prepared.best.inference->decode == evaluated.best.inference->decode);
    CHECK(prepared.best.inference->prefill == evaluated.best.inference->prefill);
    CHECK(prepared.best.inference->first_token == evaluated.best.inference->first_token);
    CHECK(prepared.best.usable == evaluated.best.usable);
    CHECK(prepared.best.limited_by == evaluated.best.limited_by);
  }
  CHECK(prepared.purchase.total == evaluated.purchase.total);
  CHECK(prepared.cost.total() == evaluated.cost.total());
  CHECK(prepared.merit.per_usable_rate == evaluated.merit.per_usable_rate);
  CHECK(prepared.merit.per_token == evaluated.merit.per_token);
  CHECK(prepared.wall.peak == evaluated.wall.peak);
  CHECK(prepared.loaded == evaluated.loaded);
}

}  // namespace

TEST_CASE("A prepared rig answers any load as the evaluator does, to the last bit") {
  const auto rig = GENERATE(as<std::string>{}, "two-7900-xtx", "ten-radeon-pro-vii-x1-risers", "one-rtx-pro-6000");
  const auto name = GENERATE(as<std::string>{}, "qwen2.5-14b", "qwen2.5-72b", "qwen3-30b-a3b");
  CAPTURE(rig, name);
  const auto build = example(rig);
  auto query = question(name);
  PreparedRig prepared{catalog(), model(name), calibrations(), query, build};
  std::mt19937 random{7};
  const auto one_of = [&](auto... values) {
    const double all[] = {static_cast<double>(values)...};
    return all[random() % sizeof...(values)];
  };
  for (int i = 0; i < 12; ++i) {
    query.job.context = Tokens{one_of(4096, 8192, 32768, 131072)};
    query.job.users = static_cast<int>(one_of(1, 2, 7, 64));
    query.job.prompt = Tokens{one_of(1, 512, 2000)};
    query.job.generate = Tokens{one_of(1, 128, 2048)};
    query.schedule.horizon = one_of(6, 24, 36) * month;
    query.schedule.loaded_hours_per_day = one_of(0.5, 8, 20);
    query.schedule.tariff = one_of(0, 0.6, 2) * yuan_per_kWh;
    query.limits.budget = one_of(0, 1) > 0 ? std::optional{one_of(10000, 40000) * yuan} : std::nullopt;
    query.limits.min_tokens = one_of(0, 1) > 0 ? std::optional{one_of(5, 20, 60) * token_per_s} : std::nullopt;
    const Evaluator evaluator{catalog(), model(name), calibrations(), query};
    check_same(prepared.at(query), evaluator.evaluate(build, true));
  }
}

TEST_CASE("Other prices change the bill and nothing else, and old ones come back") {
  const auto build = example("two-7900-xtx");
  const auto query = question("qwen2.5-14b");
  PreparedRig prepared{catalog(), model("qwen2.5-14b"), calibrations(), query, build};
  const auto likely = [&] { return prepared.at(query).purchase.total.likely; };
  const auto before = likely();
  const auto price_of = [&](const std::string& text) {
    auto prices = std::make_unique<PriceBook>(catalog());
    prices->replace("rx-7900-xtx", stated_price({"gpus.rx-7900-xtx.price", text}, catalog()));
    return prices;
  };
  const auto one = price_of("1000 yuan"), dear = price_of("9000 yuan");
  prepared.use_prices(1, [&]() -> const PriceBook& { return *one; });
  const auto cheap = likely();
  prepared.use_prices(2, [&]() -> const PriceBook& { return *dear; });
  // Two cards that are 8,000 yuan dearer each, and spares that follow their price.
  CHECK(likely() - cheap >= 16'000 * yuan);
  CHECK(likely() - cheap < 20'000 * yuan);
  prepared.use_prices(1, [&]() -> const PriceBook& { return *one; });
  CHECK(likely() == cheap);

  const auto changed = read_catalog(built_in_catalog_files(), std::vector<Override>{{"gpus.rx-7900-xtx.price", "1000 yuan"}});
  const Evaluator evaluator{changed, model("qwen2.5-14b"), calibrations(), query};
  check_same(prepared.at(query), evaluator.evaluate(build, true));
  CHECK(before != cheap);
}

TEST_CASE("A prepared rig answers training as the evaluator does") {
  const auto build = example("two-7900-xtx");
  auto query = question("qwen2.5-7b", "pytorch");
  query.job.kind = JobKind::qlora;
  query.job.weight_format = "NF4";
  PreparedRig prepared{catalog(), model("qwen2.5-7b"), calibrations(), query, build};
  const Evaluator evaluator{catalog(), model("qwen2.5-7b"), calibrations(), query};
  const auto expected = evaluator.evaluate(build, true);
  const auto& answer = prepared.at(query);
  CHECK(answer.best.tokens == expected.best.tokens);
  CHECK(answer.best.usable == expected.best.usable);
  CHECK(answer.cost.total() == expected.cost.total());
  CHECK(answer.misfit == expected.misfit);
}
