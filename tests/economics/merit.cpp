// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/merit.h"

#include <catch2/catch.hpp>

#include "economics/sample_catalog.h"
#include "rigplan/economics/energy.h"
#include "rigplan/economics/resale.h"

using namespace rigplan;

TEST_CASE("Cost over the horizon is purchase less resale, plus energy and upkeep") {
  const Cost cost{.purchase = {9000 * yuan, 10000 * yuan, 12000 * yuan},
                  .resale = {3000 * yuan, 4000 * yuan, 5000 * yuan},
                  .energy = Range<Yuan>::exactly(2000 * yuan),
                  .upkeep = Range<Yuan>::exactly(500 * yuan)};
  // Shares kept: 3,000 / 9,000 at worst, 5,000 / 12,000 at best.
  CHECK(cost.total().low.in(yuan) == Approx(7750));     // 9,000 x 7/12 + 2,500
  CHECK(cost.total().likely.in(yuan) == Approx(8500));  // 10,000 - 4,000 + 2,500
  CHECK(cost.total().high.in(yuan) == Approx(10500));   // 12,000 x 2/3 + 2,500
}

TEST_CASE("Merit divides by what the build really does, and by nothing when it does nothing") {
  Cost cost;
  cost.purchase = Range<Yuan>::exactly(10000 * yuan);
  const Yield yield{.usable = {4 * TFLOP_per_s, 5 * TFLOP_per_s, 8 * TFLOP_per_s},
                    .peak = 50 * TFLOP_per_s,
                    .tokens = Range<TokenRate>::exactly(20 * token_per_s),
                    .loaded = 1000 * hour,
                    .vram = 32 * GiB};
  const auto merit = merit_of(cost, yield);
  CHECK(merit.per_usable_rate->likely.in(yuan_per_TFLOP_per_s) == Approx(2000));
  CHECK(merit.per_usable_rate->low.in(yuan_per_TFLOP_per_s) == Approx(1250));
  CHECK(merit.per_usable_rate->high.in(yuan_per_TFLOP_per_s) == Approx(2500));
  CHECK(merit.purchase_per_peak_rate->likely.in(yuan_per_TFLOP_per_s) == Approx(200));
  // 20 token/s for 1,000 h are 72 million tokens.
  CHECK(merit.per_token->likely.in(yuan_per_Mtoken) == Approx(10000.0 / 72));
  CHECK(merit.per_token_rate->likely.in(yuan_per_token_per_s) == Approx(500));
  CHECK(merit.purchase_per_vram->likely.in(yuan_per_GiB) == Approx(312.5));
  CHECK_FALSE(merit_of(cost, {}).per_usable_rate.has_value());
}

TEST_CASE("Energy over the horizon: loaded and idle hours of every day") {
  // 30 days: 240 h at 1 kW and 480 h at 100 W are 288 kWh.
  CHECK(energy_used(1000 * watt, 8, 100 * watt, 16, 30 * day).in(kWh) == Approx(288));
  CHECK(energy_used(1000 * watt, 0, 100 * watt, 0, 30 * day).in(kWh) == 0);
}

TEST_CASE("A tariff with bands charges the cheapest hours first when asked, and its average where shares are unknown") {
  Tariff tariff;
  tariff.average = 0.8 * yuan_per_kWh;
  tariff.bands = {{"peak", 1.2 * yuan_per_kWh, 0.25}, {"flat", 0.8 * yuan_per_kWh, 0.5}, {"valley", 0.4 * yuan_per_kWh, 0.25}};
  CHECK(tariff_price(tariff, 6, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx(0.4));
  // 8 hours: 6 in the valley and 2 flat: (6 x 0.4 + 2 x 0.8) / 8.
  CHECK(tariff_price(tariff, 8, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx(0.5));
  CHECK(tariff_price(tariff, 24, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx(0.8));
  CHECK(tariff_price(tariff, 8, BandChoice::average).in(yuan_per_kWh) == Approx(0.8));
  tariff.bands[0].share = 0;
  CHECK(tariff_price(tariff, 6, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx(0.8));
}

TEST_CASE("Hardware loses value year by year, new hardware faster") {
  const auto catalog = sample_catalog();
  const auto& defaults = catalog.planning.entries.front();
  // Used: 20 % a year leaves 64 % after two; 30 % leaves 49 %.
  CHECK(value_kept(defaults, Condition::used, 24 * month).likely == Approx(0.64));
  CHECK(value_kept(defaults, Condition::used, 24 * month).low == Approx(0.49));
  CHECK(value_kept(defaults, Condition::fresh, 24 * month).likely == Approx(0.36));
  CHECK(value_kept(defaults, Condition::unknown, 24 * month).likely == Approx(0.36));
  CHECK(value_kept(defaults, Condition::used, Seconds{}).likely == 1);
}
