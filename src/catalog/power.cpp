// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/power.h"

#include <fmt/format.h>

#include <cmath>

#include "catalog/readers.h"
#include "catalog/shelf_reader.h"

namespace rigplan {
namespace {

/// Points {"load", "efficiency"}; the load rises from point to point.
void read_efficiency(EntryReader& reader, EfficiencyCurve& curve) {
  const auto points = reader.required("points");
  if (!points) return;
  curve.points.clear();
  for (const auto& at : points->elements()) {
    ObjectReader object{at};
    const EfficiencyCurve::Point point{object.required("load").number_within(0, 1),
                                       object.required("efficiency").number_within(0.3, 1)};
    object.finish();
    if (!curve.points.empty() && point.load <= curve.points.back().load) at.fail("has a load that does not rise");
    curve.points.push_back(point);
  }
  if (curve.points.empty()) points->fail("has no point; expected at least one");
}

Tariff::Band read_band(Cursor at) {
  ObjectReader object{at};
  Tariff::Band band;
  band.name = object.required("name").text();
  band.price = read_within(object.required("price"), YuanPerJoule{}, 10 * yuan_per_kWh);
  if (const auto share = object.optional("share")) band.share = share->number_within(0, 1);
  object.finish();
  return band;
}

void read_tariff(EntryReader& reader, Tariff& tariff) {
  reader.required("average", tariff.average, YuanPerJoule{}, 10 * yuan_per_kWh);
  const auto bands = reader.optional("bands");
  if (!bands) return;
  tariff.bands.clear();
  double shares = 0;
  for (const auto& at : bands->elements()) {
    tariff.bands.push_back(read_band(at));
    shares += tariff.bands.back().share;
  }
  if (shares != 0 && std::abs(shares - 1) > 1e-6) bands->fail(fmt::format("has shares that add to {}; expected 1", shares));
}

void read_circuit(EntryReader& reader, Circuit& circuit) {
  if (const auto volts = reader.required("volts")) circuit.volts = volts->number_within(12, 1000);
  if (const auto amperes = reader.required("amperes")) circuit.amperes = amperes->number_within(1, 4000);
  if (const auto phases = reader.optional("phases")) {
    circuit.phases = static_cast<int>(phases->integer(1, 3));
    if (circuit.phases == 2) phases->fail("is 2; expected 1 or 3");
  }
  // Three phases carry sqrt(3) x volts between phases x amperes.
  const auto most = circuit.volts * circuit.amperes * (circuit.phases == 3 ? std::sqrt(3.0) : 1.0) * watt;
  reader.required("continuous", circuit.continuous, 1 * watt, most);
}

/// [low, likely, high], each at least 1.
void read_site(EntryReader& reader, Site& site) {
  const auto at = reader.required("pue");
  if (!at) return;
  const auto values = at->elements();
  if (values.size() != 3) at->fail(fmt::format("has {} values; expected [low, likely, high]", values.size()));
  site.pue.low = values[0].number_within(1, 5);
  site.pue.likely = values[1].number_within(site.pue.low, 5);
  site.pue.high = values[2].number_within(site.pue.likely, 5);
}

}  // namespace

void read_efficiencies(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("efficiencies"), sources, catalog.efficiencies.entries, read_efficiency);
}

void read_tariffs(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("tariffs"), sources, catalog.tariffs.entries, read_tariff);
}

void read_circuits(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("circuits"), sources, catalog.circuits.entries, read_circuit);
}

void read_sites(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("sites"), sources, catalog.sites.entries, read_site);
}

}  // namespace rigplan
