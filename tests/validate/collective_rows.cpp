// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "rigplan/catalog/catalog.h"
#include "rigplan/validate/collective_predictor.h"
#include "rigplan/validate/errors.h"

using namespace rigplan;

namespace {

const Catalog& catalog() {
  static const auto one = read_catalog(built_in_catalog_files());
  return one;
}

Measurement row_of(std::string gpu, int cards, std::string link, std::string p2p = "", std::string engine = "NCCL",
                   std::string note = "") {
  Measurement row;
  row.kind = "collective";
  row.gpu = std::move(gpu);
  row.gpu_count = cards;
  row.nodes = 1;
  row.link = std::move(link);
  row.p2p = std::move(p2p);
  row.engine = std::move(engine);
  row.note = std::move(note);
  row.collective = "all_reduce";
  row.message_bytes = 1048576;
  row.metric = "time_us";
  row.value = 100;
  return row;
}

CollectiveCase mapped(const Measurement& row) {
  static const auto patterns = built_in_link_patterns();
  const auto result = map_collective_row(row, catalog(), patterns);
  if (const auto* skipped = std::get_if<Skipped>(&result)) FAIL(skipped->reason << ": " << skipped->detail);
  return std::get<CollectiveCase>(result);
}

std::vector<Measurement> shipped_rows() {
  std::ifstream file{RIGPLAN_SOURCE_DIR "/data/measurements/collectives.csv"};
  std::stringstream text;
  text << file.rdbuf();
  return read_measurements("data/measurements/collectives.csv", text.str());
}

std::vector<PredictedRow> of_size(const std::vector<PredictedRow>& rows, bool large) {
  std::vector<PredictedRow> chosen;
  for (const auto& row : rows) {
    if (row.row->kind == "collective" && (row.row->message_bytes.value_or(1e9) >= 1048576) == large) chosen.push_back(row);
  }
  return chosen;
}

/// Median and 90th percentile of |predicted / measured - 1| over all metrics.
std::pair<double, double> errors(const std::vector<PredictedRow>& rows) {
  std::vector<double> all;
  for (const auto& row : rows) {
    if (row.prediction()) all.push_back(std::abs(row.error()));
  }
  REQUIRE(!all.empty());
  return {quantile(all, 0.5), quantile(all, 0.9)};
}

std::vector<PredictedRow> copies(const std::vector<PredictedRow>& rows) {
  std::vector<PredictedRow> chosen;
  for (const auto& row : rows) {
    if (row.row->kind == "p2p") chosen.push_back(row);
  }
  return chosen;
}

double coverage(const std::vector<PredictedRow>& rows) {
  double inside = 0, all = 0;
  for (const auto& row : rows) {
    if (!row.prediction()) continue;
    ++all;
    inside += row.inside();
  }
  return inside / all;
}

}  // namespace

TEST_CASE("link texts become wiring") {
  const auto sockets = mapped(row_of("rtx-4090", 8, "PCIe 4.0 x16 per GPU, root complex, 4 per socket, P2P driver patch", "on",
                                     "NCCL via nccl-tests", "host: 2x EPYC 7542 NPS4; out-of-place column"));
  CHECK(sockets.links.kind == LinkClass::pcie_peer);
  CHECK(sockets.links.edge.in(GB_per_s) == Approx(28.09).epsilon(1e-3));
  CHECK(sockets.links.edge_limit.in(GB_per_s) == Approx(21));
  CHECK(sockets.stack == "nccl_tests_printed");
  const auto nvlink = mapped(row_of("h200-sxm-141gb", 8, "NVSwitch (NVLink4)", "", "NCCL 2.29.2 nccl-tests"));
  CHECK(nvlink.links.edge.in(GB_per_s) == Approx(450).epsilon(1e-3));
  CHECK(nvlink.links.in_switch_reduction);
  CHECK(nvlink.stack == "nccl_tests");
  const auto narrow =
      mapped(row_of("rtx-2080-ti-11gb", 2, "PCIe 3.0 x16, same PCIe switch (PIX), no P2P (driver), staged through host", "off"));
  CHECK(narrow.links.kind == LinkClass::pcie_staged);
  CHECK(narrow.links.old_host);
}

TEST_CASE("the column overrides the text: peers that the text denies") {
  CHECK(mapped(row_of("l40s", 2, "PCIe 4.0 x16, stock driver", "on")).links.kind == LinkClass::pcie_peer);
  CHECK(mapped(row_of("l40s", 2, "PCIe 4.0 x16, stock driver", "")).links.kind == LinkClass::pcie_staged);
}

TEST_CASE("sizes mean the whole buffer, whatever the source counts") {
  auto row = row_of("arc-pro-b60-24gb", 4, "PCIe 5.0 x8 (Intel Arc Pro B60)", "", "oneCCL 2021.17.2 oneccl");
  row.collective = "all_gather";
  CHECK(mapped(row).size == 4 * MiB);
  row.collective = "reduce_scatter";
  CHECK(mapped(row).size == MiB);
}

TEST_CASE("a row that is not understood is skipped with its reason") {
  const auto patterns = built_in_link_patterns();
  const auto unknown = map_collective_row(row_of("no-such-card", 2, "PCIe 4.0 x16"), catalog(), patterns);
  REQUIRE(std::holds_alternative<Skipped>(unknown));
  CHECK(std::get<Skipped>(unknown).reason == "unknown card");
  const auto vague = map_collective_row(row_of("l40s", 2, "fast cable"), catalog(), patterns);
  REQUIRE(std::holds_alternative<Skipped>(vague));
  CHECK(std::get<Skipped>(vague).reason == "link not understood");
}

TEST_CASE("shipped measurements of collectives are met") {
  const auto rows = shipped_rows();
  const RowPredictor predictors[] = {collective_predictor(catalog(), built_in_calibration("collectives"))};
  const auto predicted = predict_rows(rows, predictors);
  const auto mapped_rows =
      std::count_if(predicted.begin(), predicted.end(), [](const auto& row) { return row.prediction() != nullptr; });
  CHECK(static_cast<double>(mapped_rows) / static_cast<double>(rows.size()) >= 0.95);
  const auto [large_median, large_p90] = errors(of_size(predicted, true));
  CHECK(large_median < 0.08);
  CHECK(large_p90 < 0.26);
  const auto [small_median, small_p90] = errors(of_size(predicted, false));
  CHECK(small_median < 0.11);
  CHECK(small_p90 < 0.42);
  const auto [copy_median, copy_p90] = errors(copies(predicted));
  CHECK(copy_median < 0.07);
  CHECK(copy_p90 < 0.4);
}

TEST_CASE("systems that the fit has not seen are predicted within the promise", "[.left-out]") {
  const auto rows = shipped_rows();
  const auto left_out = cross_validate_collectives(rows, catalog(), "system");
  const auto predicted = std::count_if(left_out.begin(), left_out.end(), [](const auto& row) { return row.prediction(); });
  CHECK(static_cast<double>(predicted) / static_cast<double>(rows.size()) >= 0.95);
  const auto [large_median, large_p90] = errors(of_size(left_out, true));
  CHECK(large_median <= 0.11);
  CHECK(large_p90 <= 0.40);
  const auto [small_median, small_p90] = errors(of_size(left_out, false));
  CHECK(small_median <= 0.22);
  CHECK(small_p90 <= 0.75);
  const auto [copy_median, copy_p90] = errors(copies(left_out));
  CHECK(copy_median <= 0.08);
  CHECK(copy_p90 <= 0.60);
  CHECK(coverage(of_size(left_out, true)) == Approx(0.8).margin(0.1));
  CHECK(coverage(of_size(left_out, false)) == Approx(0.8).margin(0.1));
}

TEST_CASE("the shipped calibration is what the shipped rows give", "[.left-out]") {
  const auto again =
      calibrate_collectives(shipped_rows(), catalog(), built_in_link_patterns(), "data/measurements/collectives.csv");
  const auto shipped = built_in_calibration("collectives");
  for (const auto& [name, term] : shipped.terms) {
    INFO(name);
    CHECK(again.terms.at(name).log_mean == Approx(term.log_mean).margin(2e-3));
  }
}
