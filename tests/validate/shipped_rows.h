// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/validate/measurement.h"

/// A file of the repository, or beside it; empty where there is none.
inline std::string file_text(const std::string& path) {
  std::ifstream in{std::string{RIGPLAN_SOURCE_DIR} + "/" + path};
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The rows of data/measurements/NAME.csv.
inline std::vector<rigplan::Measurement> shipped_rows_of(const std::string& name) {
  const auto path = "data/measurements/" + name + ".csv";
  return rigplan::read_measurements(path, file_text(path));
}

inline const rigplan::Catalog& shipped_catalog() {
  static const auto catalog = rigplan::read_catalog(rigplan::built_in_catalog_files());
  return catalog;
}
