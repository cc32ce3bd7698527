// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/resale.h"

#include <catch2/catch.hpp>

#include "economics/sample_catalog.h"

using namespace rigplan;

namespace {

PurchaseLine line(BillKind kind, const std::string& item, double price, Condition condition) {
  PurchaseLine made;
  made.kind = kind;
  made.item = item;
  made.each = Range<Yuan>::exactly(price * yuan);
  made.condition = condition;
  return made;
}

}  // namespace

TEST_CASE("Between the points of a resale curve the share falls by the same factor each month, and goes on so behind the last") {
  const ResaleCurve curve{"used-card", {{12 * month, {0.5, 0.8, 0.9}}, {24 * month, {0.25, 0.64, 0.81}}}};
  CHECK(value_kept(curve, Seconds{}).likely == Approx(1));
  CHECK(value_kept(curve, 6 * month).likely == Approx(0.894427));  // the square root of 0.8
  CHECK(value_kept(curve, 12 * month).low == Approx(0.5));
  CHECK(value_kept(curve, 24 * month).high == Approx(0.81));
  CHECK(value_kept(curve, 36 * month).likely == Approx(0.512));  // 0.8 cubed
}

TEST_CASE("A bill is sold by class: modules, cards, platform and supplies by their curves, small parts for nothing") {
  auto catalog = sample_catalog();
  auto module = catalog.gpus.entries.front();
  module.id = "module";
  module.form = CardForm::oam;
  catalog.gpus.entries.push_back(module);
  auto defaults = catalog.planning.entries.front();
  const auto flat = [](double share) { return std::vector<ResaleCurve::Point>{{12 * month, Range<double>::exactly(share)}}; };
  defaults.resale = {{"accelerator-module", flat(0.1)}, {"new-card", flat(0.2)}, {"platform", flat(0.3)}, {"supply", flat(0.4)}};
  Purchase bill;
  bill.lines = {line(BillKind::card, "module", 1000, Condition::fresh),      // 100
                line(BillKind::card, "card", 1000, Condition::fresh),        // 200
                line(BillKind::memory, "dimm", 1000, Condition::used),       // 300
                line(BillKind::supply, "psu-1000", 1000, Condition::fresh),  // 400
                line(BillKind::cooling, "duct", 1000, Condition::fresh)};
  CHECK(resale_of(catalog, bill, defaults, 12 * month).likely.in(yuan) == Approx(1000));
  // A used card has no curve here: a fifth is lost a year.
  bill.lines = {line(BillKind::card, "card", 1000, Condition::used)};
  CHECK(resale_of(catalog, bill, defaults, 12 * month).likely.in(yuan) == Approx(800));
}
