// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// Efficiency of a power supply against its load, by rating.
struct EfficiencyCurve : Entry {
  struct Point {
    double load = 0;        ///< share of the rated power, 0 to 1
    double efficiency = 0;  ///< DC out over AC in, 0 to 1
  };
  std::vector<Point> points;  ///< rising load
};

struct Tariff : Entry {
  struct Band {
    std::string name;  ///< "peak", "flat", "valley"
    YuanPerJoule price;
    double share = 0;  ///< of a day, where it is known; the shares of a tariff add to 1
  };
  YuanPerJoule average;
  std::vector<Band> bands;  ///< empty: one price all day
};

struct Circuit : Entry {
  double volts = 0, amperes = 0;
  int phases = 1;
  Watts continuous;  ///< what it carries all day
};

/// A place where a rig stands: what cooling and distribution add to the power of the machines.
struct Site : Entry {
  Range<double> pue;  ///< power of the site over power of the machines, at least 1
};

}  // namespace rigplan
