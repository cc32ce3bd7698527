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
  if (const auto low = reader.optional("lowest_per_card_hour")) offer.lowest = read_money_per_hour(*low);
  if (const auto high = reader.optional("highest_per_card_hour")) offer.highest = read_money_per_hour(*high);
  if (const auto least = reader.optional("minimum")) offer.minimum = read_within(*least, Seconds{}, 12 * month);
  if (const auto start = reader.optional("start_up")) offer.start_up = read_within(*start, Seconds{}, 1 * month);
  if (const auto term = reader.optional("commitment")) offer.commitment = read_within(*term, Seconds{}, 120 * month);
  if (const auto price = reader.optional("storage_per_gib_month")) offer.storage_per_gib_month = read_money(*price);
  if (const auto price = reader.optional("egress_per_gib")) offer.egress_per_gib = read_money(*price);
  if (const auto share = reader.optional("availability")) offer.availability = share->number_within(0, 1);
  if (const auto* figure = find_figure(offer, "per_card_hour")) offer.source = figure->sources.all().front();
}

}  // namespace

void read_rent(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("rent"), sources, catalog.rent.entries, read_rent_offer);
}

}  // namespace rigplan
