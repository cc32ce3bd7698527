// SPDX-License-Identifier: Apache-2.0
#include "catalog/date.h"
#include "catalog/money.h"
#include "catalog/readers.h"
#include "catalog/shelf_reader.h"
#include "rigplan/catalog/price.h"

namespace rigplan {
namespace {

void read_rent_offer(EntryReader& reader, RentOffer& offer) {
  reader.required("provider", offer.provider);
  reader.optional("gpu", offer.gpu);
  reader.required("gpu_text", offer.gpu_text);
  reader.optional("cards", offer.cards, 1, 1024);
  if (const auto price = reader.required("per_card_hour")) offer.per_card_hour = read_money_per_hour(*price);
  if (const auto spot = reader.optional("spot_per_card_hour")) offer.spot_per_card_hour = read_money_per_hour(*spot);
  constexpr std::string_view terms[] = {"on-demand", "spot", "reserved", "index"};
  if (const auto at = reader.required("terms")) offer.terms = terms[at->one_of(terms)];
  reader.optional("region", offer.region);
  if (const auto date = reader.required("date")) offer.date = read_date(*date);
  if (const auto grain = reader.optional("billing_grain")) offer.billing_grain = read_within(*grain, Seconds{}, 12 * month);
  if (const auto* figure = find_figure(offer, "per_card_hour")) offer.source = figure->sources.front();
}

}  // namespace

void read_rent(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("rent"), sources, catalog.rent.entries, read_rent_offer);
}

}  // namespace rigplan
