// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "catalog/shipped.h"

using namespace rigplan;

namespace {

Catalog read_offer(const std::string& fields) {
  const std::vector<CatalogFile> files{{"rent.json", R"({"schema": "rigplan/rent/1", "sources": {"page": {"where": "a page"}},
    "rent": [{"id": "offer", "source": "page", "provider": "somebody", "gpu_text": "a card", )" +
                                                         fields + "}]}"}};
  return read_catalog(files);
}

}  // namespace

TEST_CASE("an offer to rent is read with its currency, date and source") {
  const auto catalog =
      read_offer(R"("per_card_hour": "0.69 USD/h", "terms": "on-demand", "date": "2026-05-27", "billing_grain": "1 min")");
  const auto& offer = catalog.rent.entries.front();
  CHECK(offer.per_card_hour == Money{0.69, "USD"});
  CHECK(offer.billing_grain == 1 * minute);
  CHECK(offer.source.where == "a page");
  CHECK(offer.cards == 1);
}

TEST_CASE("offers without hour, terms or date are refused") {
  CHECK_THROWS_WITH(read_offer(R"("per_card_hour": "0.69 USD", "terms": "on-demand", "date": "2026")"),
                    Catch::Contains("0.69 USD/h"));
  CHECK_THROWS_WITH(read_offer(R"("per_card_hour": "0 USD/h", "terms": "on-demand", "date": "2026")"),
                    Catch::Contains("above zero"));
  CHECK_THROWS_WITH(read_offer(R"("per_card_hour": "0.69 USD/h", "terms": "now and then", "date": "2026")"),
                    Catch::Contains("expected one of on-demand"));
  CHECK_THROWS_WITH(read_offer(R"("per_card_hour": "0.69 USD/h", "terms": "on-demand")"), Catch::Contains("has no \"date\""));
  CHECK_THROWS_WITH(read_offer(R"("per_card_hour": "0.69 USD/h", "terms": "on-demand", "date": "2026-02-30")"),
                    Catch::Contains("expected a date"));
}

TEST_CASE("what an offer says besides its price is read with its unit") {
  const auto catalog = read_offer(
      R"("per_card_hour": "2 USD/h", "lowest_per_card_hour": "1.5 USD/h", "highest_per_card_hour": "3 USD/h", "terms": "reserved",
         "date": "2026", "minimum": "1 h", "start_up": "5 min", "commitment": "1 mo", "storage_per_gib_month": "0.1 USD",
         "egress_per_gib": "0.02 USD", "availability": 0.9)");
  const auto& offer = catalog.rent.entries.front();
  CHECK(offer.lowest == Money{1.5, "USD"});
  CHECK(offer.highest == Money{3, "USD"});
  CHECK(offer.minimum == 1 * hour);
  CHECK(offer.start_up == 5 * minute);
  CHECK(offer.commitment == 1 * month);
  CHECK(offer.storage_per_gib_month == Money{0.1, "USD"});
  CHECK(offer.egress_per_gib == Money{0.02, "USD"});
  CHECK(offer.availability == 0.9);
}

TEST_CASE("an offer for a card and defaults for a tariff or circuit that the catalog does not have are refused") {
  auto files = built_in_catalog_files();
  files.push_back({"rent.json", R"({"schema": "rigplan/rent/1", "sources": {"page": {"where": "a page"}}, "rent": [{"id": "offer",
    "source": "page", "provider": "somebody", "gpu": "rtx-3090x", "gpu_text": "RTX 3900", "per_card_hour": "1 USD/h",
    "terms": "spot", "date": "2026"}]})"});
  CHECK_THROWS_WITH(read_catalog(files),
                    Catch::Contains("rent.json") && Catch::Contains("no such card; did you mean \"rtx-3090\"?"));
  files.back() = {"planning.json",
                  R"({"schema": "rigplan/planning/1", "planning": [{"id": "default", "circuit": "cn-220v-16"}]})"};
  CHECK_THROWS_WITH(read_catalog(files), Catch::Contains("no such circuit; did you mean \"cn-220v-16a\"?"));
}

TEST_CASE("the planning defaults have a resale curve for every class and spreads around 1") {
  const auto& planning = shipped_catalog().planning.entries.front();
  for (const auto* part : {"used-card", "new-card", "accelerator-module", "platform", "supply"}) {
    CAPTURE(part);
    CHECK(std::any_of(planning.resale.begin(), planning.resale.end(),
                      [&](const ResaleCurve& curve) { return curve.part == part; }));
  }
  for (const auto& spread : {planning.tariff_spread, planning.rent_spread, planning.hours_spread, planning.labour_spread}) {
    CHECK(spread.low < 1);
    CHECK(spread.likely == 1);
    CHECK(spread.high > 1);
  }
}

TEST_CASE("rent offers name cards of the catalog, in currencies that have a rate, at prices of this world") {
  const auto& catalog = shipped_catalog();
  CHECK(catalog.rent.entries.size() >= 110);
  int mapped = 0;
  for (const auto& offer : catalog.rent.entries) {
    CAPTURE(offer.id);
    const auto yuan_per_hour = catalog.exchange.convert(offer.per_card_hour);
    REQUIRE(yuan_per_hour);
    CHECK(yuan_per_hour->in(yuan) > 0.3);
    CHECK(yuan_per_hour->in(yuan) < 100);
    if (offer.gpu.empty()) continue;
    ++mapped;
    CHECK(catalog.gpus.find(offer.gpu));
  }
  CHECK(mapped >= 110);
}
