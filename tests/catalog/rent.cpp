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
