// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/gpu.h"

#include <fmt/format.h>

#include "catalog/readers.h"
#include "catalog/shelf_reader.h"

namespace rigplan {
namespace {

constexpr std::string_view forms[] = {"pcie", "sxm", "oam", "other"};
constexpr std::string_view coolings[] = {"unknown", "passive", "blower", "open", "liquid"};
constexpr std::string_view peer_over_pcie[] = {"no", "yes", "unknown"};
constexpr std::string_view peer_kinds[] = {"nvlink", "xgmi"};
constexpr std::string_view peer_fabrics[] = {"bridge", "mesh", "switched"};

constexpr auto least_rate = GFLOP_per_s, greatest_rate = 1e6 * TFLOP_per_s;

void read_memory(EntryReader& reader, Gpu& gpu) {
  reader.required("vram", gpu.vram, GiB, 2 * TiB);
  reader.optional("memory_type", gpu.memory_type);
  reader.optional("memory_bus");
  reader.required("vram_bandwidth", gpu.vram_bandwidth, 10 * GB_per_s, 1e5 * GB_per_s);
  reader.optional("l2", gpu.l2, 16 * KiB, 16 * GiB);
  reader.optional("last_level_cache", gpu.last_level_cache, MiB, 16 * GiB);
}

void read_peaks(EntryReader& reader, PeakRates& peaks) {
  reader.optional("fp32", peaks.fp32, least_rate, greatest_rate);
  reader.optional("fp16_vector", peaks.fp16_vector, least_rate, greatest_rate);
  reader.optional("fp16_matrix", peaks.fp16_matrix, least_rate, greatest_rate);
  reader.optional("fp16_matrix_fp16_accumulate", peaks.fp16_matrix_fp16_accumulate, least_rate, greatest_rate);
  reader.optional("bf16_matrix", peaks.bf16_matrix, least_rate, greatest_rate);
  reader.optional("int8", peaks.int8, least_rate, greatest_rate);
  reader.optional("fp8", peaks.fp8, least_rate, greatest_rate);
  reader.optional("fp4", peaks.fp4, least_rate, greatest_rate);
}

/// "2x 8-pin + 1x 6-pin", "1x 16-pin" (12VHPWR and its forerunner with 12 pins), "1x EPS", "none".
void read_power_connectors(Cursor at, Gpu& gpu) {
  gpu.power_8pin = gpu.power_6pin = gpu.power_12vhpwr = gpu.power_eps = 0;
  std::string_view rest = at.text();
  if (rest == "none") return;
  const auto fail = [&] {
    at.fail(fmt::format(
        "is \"{}\"; expected connectors such as \"2x 8-pin + 1x 6-pin\" (8-pin, 6-pin, 16-pin, 12-pin, EPS) or \"none\"",
        at.text()));
  };
  while (!rest.empty()) {
    const auto plus = rest.find(" + ");
    const auto term = rest.substr(0, plus);
    rest = plus == std::string_view::npos ? std::string_view{} : rest.substr(plus + 3);
    if (term.size() < 4 || term[0] < '1' || term[0] > '9' || term.substr(1, 2) != "x ") fail();
    const int count = term[0] - '0';
    const auto kind = term.substr(3);
    if (kind == "8-pin")
      gpu.power_8pin += count;
    else if (kind == "6-pin")
      gpu.power_6pin += count;
    else if (kind == "16-pin" || kind == "12-pin")
      gpu.power_12vhpwr += count;
    else if (kind == "EPS")
      gpu.power_eps += count;
    else
      fail();
  }
}

/// "305 mm"
double read_length(Cursor at) {
  const std::string_view text = at.text();
  if (text.ends_with(" mm")) {
    const auto number = parse_number(text.substr(0, text.size() - 3));
    if (const auto* mm = std::get_if<double>(&number); mm && *mm >= 10 && *mm <= 1000) return *mm;
  }
  at.fail(fmt::format("is \"{}\"; expected a length such as \"267 mm\", 10 mm to 1000 mm", text));
}

void read_body(EntryReader& reader, Gpu& gpu) {
  reader.optional("board_power", gpu.board_power, watt, 5 * kW);
  reader.optional("idle_power", gpu.idle_power, 0 * watt, kW);
  reader.optional("pcie", gpu.pcie);
  reader.optional("form", gpu.form, forms);
  reader.optional("slot_width", gpu.slot_width, 0.5, 8);
  if (const auto at = reader.optional("length")) gpu.length_mm = read_length(*at);
  if (const auto at = reader.optional("power_connectors")) read_power_connectors(*at, gpu);
  if (const auto at = reader.optional("display_outputs")) gpu.display_outputs = at->text() != "none";
  reader.optional("cooling", gpu.cooling, coolings);
}

/// The keys peer_kind, peer_fabric, peer_generation, peer_links, peer_link_bandwidth (each way) and peer_max_cards go together.
void read_peers(EntryReader& reader, Gpu& gpu) {
  PeerPorts ports = gpu.peer_ports.value_or(PeerPorts{});
  const auto kind = reader.optional("peer_kind");
  if (kind) ports.kind = static_cast<PeerLinkKind>(kind->one_of(peer_kinds));
  const bool has_ports = kind || gpu.peer_ports;
  if (has_ports) {
    reader.optional("peer_fabric", ports.fabric, peer_fabrics);
    reader.optional("peer_generation", ports.generation, 1, 9);
    reader.optional("peer_links", ports.links, 1, 64);
    if (const auto at = reader.required("peer_link_bandwidth")) ports.per_link = read_within(*at, GB_per_s, 1e4 * GB_per_s);
    reader.optional("peer_max_cards", ports.max_cards, 2, 1024);
    gpu.peer_ports = ports;
  }
  reader.optional("peer_over_pcie", gpu.peer_over_pcie, peer_over_pcie);
}

void read_gpu_fields(EntryReader& reader, Gpu& gpu) {
  reader.required("vendor", gpu.vendor, vendor_names());
  reader.required("architecture", gpu.architecture);
  reader.optional("chip", gpu.chip);
  if (const auto at = reader.optional("released")) gpu.released = read_calendar_date(*at);
  read_memory(reader, gpu);
  read_peaks(reader, gpu.peaks);
  read_body(reader, gpu);
  read_peers(reader, gpu);
  reader.warnings(gpu.warnings);
  if (const auto at = reader.plain("disputed")) gpu.disputed = at->boolean();
}

}  // namespace

void read_gpus(const JsonFile& file, ObjectReader& root, const SourceTable& sources, Catalog& catalog) {
  read_shelf(file, root.required("gpus"), sources, catalog.gpus.entries, read_gpu_fields);
}

}  // namespace rigplan
