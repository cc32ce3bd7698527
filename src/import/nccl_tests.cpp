// SPDX-License-Identifier: Apache-2.0
// The tables of nccl-tests and rccl-tests. A line of a table is: size, count, type, then operation and root where the version
// prints them, then time, algorithm and bus bandwidth and errors, out of place and in place.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "import/bench_rows.h"
#include "import/link_text.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct TestedRanks {
  int ranks = 0;
  std::set<std::string> hosts;
  std::string card;
};

/// "#  Rank  3 Group  0 Pid   1890 on   worker-1 device  3 [0x99] NVIDIA H100 80GB HBM3"
void read_rank(const std::vector<std::string_view>& words, TestedRanks& found) {
  const auto on = std::find(words.begin(), words.end(), "on"), device = std::find(words.begin(), words.end(), "device");
  if (words.end() - on < 2 || words.end() - device < 4) return;  // not found, or nothing behind it
  ++found.ranks;
  found.hosts.emplace(*(on + 1));
  if (!found.card.empty()) return;
  for (auto word = device + 3; word != words.end(); ++word) found.card += (found.card.empty() ? "" : " ") + std::string{*word};
}

/// "all_reduce_perf" anywhere in the text: a command line, or what newer versions print.
std::string named_operation(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> programs[] = {
      {"all_reduce_perf", "all_reduce"}, {"all_gather_perf", "all_gather"}, {"reduce_scatter_perf", "reduce_scatter"},
      {"broadcast_perf", "broadcast"},   {"alltoall_perf", "all_to_all"},   {"sendrecv_perf", "send_recv"},
      {"reduce_perf", "reduce"}};
  for (const auto& [program, operation] : programs)
    if (text.find(program) != text.npos) return std::string{operation};
  return {};
}

struct TestedSize {
  double bytes = 0, time_us = 0, algorithm = 0, bus = 0;
};

std::optional<TestedSize> read_tested_size(const std::vector<std::string_view>& words) {
  constexpr std::size_t columns_of_a_run = 4;  // time, algbw, busbw, errors
  if (words.size() < 3 + 2 * columns_of_a_run || words.front().find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  const auto at = words.size() - 2 * columns_of_a_run;
  const auto bytes = read_real(words.front()), time = read_real(words[at]), algorithm = read_real(words[at + 1]),
             bus = read_real(words[at + 2]);
  if (!bytes || !time || !algorithm || !bus || !(*bytes > 0) || !(*time > 0)) return std::nullopt;
  return TestedSize{*bytes, *time, *algorithm, *bus};
}

/// From the ratio of bus to algorithm bandwidth, which only an all-reduce has above 1.
std::string operation_by_ratio(const std::vector<TestedSize>& sizes, int ranks) {
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    if (size->algorithm < 1) continue;
    const double ratio = size->bus / size->algorithm;
    return ranks > 2 && std::abs(ratio - 2.0 * (ranks - 1) / ranks) < 0.02 ? "all_reduce" : "";
  }
  return {};
}

}  // namespace

ImportedRows import_nccl_tests(const std::string& name, std::string_view bytes, const Catalog& catalog, const BenchFacts& facts) {
  BenchRows rows{name, catalog, facts};
  TestedRanks ranks;
  std::vector<TestedSize> sizes;
  bool rccl = bytes.find("rccl") != bytes.npos || bytes.find("RCCL") != bytes.npos;
  for (auto line : split_lines(bytes)) {
    if (line.starts_with('#')) line.remove_prefix(1);
    const auto words = split_words(line);
    if (!words.empty() && words.front() == "Rank") read_rank(words, ranks);
    if (const auto size = read_tested_size(words)) sizes.push_back(*size);
  }
  if (sizes.empty())
    throw DataError{{name, 0, ""}, msg("has no line of sizes and times; expected what a program of nccl-tests prints")};
  Measurement row;
  row.kind = "collective";
  row.metric = "time_us";
  row.gpu = rows.card(ranks.card);
  if (const auto* gpu = catalog.gpus.find(row.gpu)) rccl = rccl || gpu->vendor == Vendor::amd;
  row.engine = rccl ? "RCCL via rccl-tests" : "NCCL via nccl-tests";
  row.gpu_count = facts.gpu_count ? *facts.gpu_count : std::max(ranks.ranks, 1);
  row.nodes = facts.nodes ? *facts.nodes : std::max<int>(1, static_cast<int>(ranks.hosts.size()));
  if (*row.gpu_count < 2) rows.ask("count", msg("the file names one rank or none; give --count with the number of cards"));
  row.collective = !facts.collective.empty() ? facts.collective : named_operation(bytes);
  if (row.collective.empty()) {
    row.collective = operation_by_ratio(sizes, *row.gpu_count);
    rows.ask("op", row.collective.empty()
                       ? std::string{msg("the file does not say which operation ran; give --op")}
                       : msg("the file does not name the operation; its bandwidths are those of an all-reduce"));
  }
  if (*row.nodes > 1 && facts.node_link.empty() && facts.link.find("NIC") == facts.link.npos)
    rows.ask("link",
             msg("the file does not say what joins the machines; name the NICs in --link, such as \"NVSwitch + 8x 400G NIC\""));
  row.note = "out-of-place column";
  for (const auto& size : sizes) {
    row.message_bytes = size.bytes;
    row.value = size.time_us;
    rows.add(row);
  }
  return rows.take();
}

}  // namespace rigplan
