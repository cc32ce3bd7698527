// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/catalog_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rigplan/report/json_values.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

using Cell = CatalogListing::Cell;
using Column = CatalogListing::Column;
constexpr auto right = Align::right;

Cell text(const std::string& value) { return {value, text_or_null(value)}; }
Cell texts(const std::vector<std::string>& values) { return {fmt::format("{}", fmt::join(values, " ")), texts_json(values)}; }
Cell count(int value) { return {value == 0 ? "" : std::to_string(value), value}; }
Cell yes_no(bool value) { return {value ? msg("yes") : "", value}; }
Cell number(double value) { return {format_number(value), value}; }

template <class Q>
Cell quantity(const Q& value, Q unit) {
  return number(value.in(unit));
}
template <class Q>
Cell quantity(const std::optional<Q>& value, Q unit) {
  return value ? number(value->in(unit)) : Cell{};
}

Cell link(const std::optional<PcieLink>& link) {
  if (!link) return {};
  const auto name = fmt::format("{}.0 x{}", link->generation, link->lanes);
  return {name, name};
}

/// Likely price and whether it is old.
Cell price(const Catalog& catalog, const std::string& item) {
  const auto found = catalog.price(item);
  if (!found) return {};
  return {format_number(found->range.likely.in(yuan)) + (found->stale ? msg(" old") : ""), found->range.likely.in(yuan)};
}

CatalogListing list_gpus(const Catalog& catalog) {
  CatalogListing list{"gpus",
                      {{"id", "id"},
                       {msg("arch"), "architecture"},
                       {msg("VRAM GiB"), "vram_gib", right},
                       {"GB/s", "vram_bandwidth_gb_per_s", right},
                       {"fp16 TFLOP/s", "fp16_tflops", right},
                       {"W", "board_power_w", right},
                       {"PCIe", "pcie"},
                       {msg("yuan"), "price_likely_yuan", right},
                       {msg("warnings"), "warnings"}},
                      {}};
  for (const auto& gpu : catalog.gpus.entries) {
    const auto fp16 = gpu.peaks.fp16_matrix ? gpu.peaks.fp16_matrix : gpu.peaks.fp16_vector;
    list.rows.push_back({text(gpu.id), text(gpu.architecture), quantity(gpu.vram, GiB), quantity(gpu.vram_bandwidth, GB_per_s),
                         quantity(fp16, TFLOP_per_s), quantity(gpu.board_power, watt), link(gpu.pcie), price(catalog, gpu.id),
                         texts(gpu.warnings)});
  }
  return list;
}

CatalogListing list_architectures(const Catalog& catalog) {
  CatalogListing list{"architectures",
                      {{"id", "id"},
                       {msg("name"), "name"},
                       {msg("family"), "family"},
                       {msg("matrix"), "matrix_units"},
                       {"bf16", "native_bf16"},
                       {"fp8", "native_fp8"},
                       {"fp4", "native_fp4"},
                       {msg("context GiB"), "driver_context_gib", right},
                       {msg("warnings"), "warnings"}},
                      {}};
  for (const auto& one : catalog.architectures.entries)
    list.rows.push_back({text(one.id), text(one.name), text(one.family), yes_no(one.matrix_units), yes_no(one.native_bf16),
                         yes_no(one.native_fp8), yes_no(one.native_fp4), quantity(one.driver_context, GiB), texts(one.warnings)});
  return list;
}

/// "4x 4.0 x16, 1x 3.0 x4": slots that are alike counted together, in board order.
Cell slots(const std::vector<Slot>& all) {
  std::vector<std::pair<std::string, int>> kinds;
  for (const auto& slot : all) {
    const auto name = link(slot.link).text;
    const auto at = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == name; });
    if (at == kinds.end())
      kinds.emplace_back(name, 1);
    else
      ++at->second;
  }
  std::vector<std::string> names;
  for (const auto& [name, how_many] : kinds) names.push_back(fmt::format("{}x {}", how_many, name));
  return {fmt::format("{}", fmt::join(names, ", ")), texts_json(names)};
}

CatalogListing list_boards(const Catalog& catalog) {
  CatalogListing list{"boards",
                      {{"id", "id"},
                       {msg("socket"), "socket"},
                       {msg("n"), "sockets", right},
                       {msg("slots"), "slots"},
                       {msg("memory"), "memory_type"},
                       {msg("channels"), "memory_channels", right},
                       {msg("yuan"), "price_likely_yuan", right},
                       {msg("warnings"), "warnings"}},
                      {}};
  for (const auto& board : catalog.boards.entries)
    list.rows.push_back({text(board.id), text(board.socket), count(board.sockets), slots(board.slots), text(board.memory_type),
                         count(board.memory_channels), price(catalog, board.id), texts(board.warnings)});
  return list;
}

CatalogListing list_cpus(const Catalog& catalog) {
  CatalogListing list{"cpus",
                      {{"id", "id"},
                       {msg("socket"), "socket"},
                       {msg("kind"), "microarchitecture"},
                       {"PCIe", "pcie"},
                       {msg("memory"), "memory_type"},
                       {"GB/s", "memory_bandwidth_gb_per_s", right},
                       {"W", "tdp_w", right},
                       {msg("yuan"), "price_likely_yuan", right}},
                      {}};
  for (const auto& cpu : catalog.cpus.entries)
    list.rows.push_back({text(cpu.id), text(cpu.socket), text(cpu.microarchitecture), link(cpu.pcie), text(cpu.memory_type),
                         quantity(cpu.memory_bandwidth, GB_per_s), quantity(cpu.tdp, watt), price(catalog, cpu.id)});
  return list;
}

/// The kind of a part and the figure that matters.
struct PartSummary {
  std::string kind, figure;
};
struct Summarise {
  PartSummary operator()(const Riser& riser) const {
    return {riser.usb_cable ? msg("mining riser") : msg("riser"), link(riser.link).text};
  }
  PartSummary operator()(const Bifurcator& part) const {
    return {msg("split adapter"), fmt::format("x{} to x{}", part.lanes, fmt::join(part.ports, " x"))};
  }
  PartSummary operator()(const PcieSwitch& part) const {
    return {msg("switch"), fmt::format("{} to x{}", link(part.upstream).text, fmt::join(part.ports, " x"))};
  }
  PartSummary operator()(const BridgePart& bridge) const { return {msg("bridge"), fmt::format("{} cards", bridge.cards)}; }
  PartSummary operator()(const Nic& nic) const {
    return {nic.rdma ? msg("network adapter, RDMA") : msg("network adapter"), to_text(nic.rate)};
  }
  PartSummary operator()(const NetworkSwitch& part) const {
    return {msg("network switch"), fmt::format("{}x {}", part.ports, to_text(part.port_rate))};
  }
  PartSummary operator()(const Psu& psu) const { return {msg("power supply"), to_text(psu.power)}; }
  PartSummary operator()(const OtherPart& part) const { return {part.kind, part.size ? to_text(*part.size) : ""}; }
};

CatalogListing list_parts(const Catalog& catalog) {
  CatalogListing list{"parts",
                      {{"id", "id"},
                       {msg("kind"), "kind"},
                       {msg("figure"), "figure"},
                       {msg("yuan"), "price_likely_yuan", right},
                       {msg("name"), "name"}},
                      {}};
  for (const auto& part : catalog.parts.entries) {
    const auto summary = std::visit(Summarise{}, part.what);
    list.rows.push_back({text(part.id), text(summary.kind), text(summary.figure), price(catalog, part.id), text(part.name)});
  }
  return list;
}

CatalogListing list_engines(const Catalog& catalog) {
  CatalogListing list{"engines",
                      {{"id", "id"},
                       {msg("family"), "family"},
                       {msg("splits"), "splits"},
                       {msg("formats"), "formats"},
                       {msg("batches"), "batches_streams"},
                       {msg("trains"), "trains"}},
                      {}};
  for (const auto& engine : catalog.engines.entries)
    list.rows.push_back({text(engine.id), text(engine.family), texts(engine.splits), texts(engine.formats),
                         yes_no(engine.batches_streams), yes_no(engine.trains)});
  return list;
}

CatalogListing list_prices(const Catalog& catalog) {
  CatalogListing list{"prices",
                      {{msg("item"), "item"},
                       {msg("yuan"), "likely_yuan", right},
                       {msg("low"), "low_yuan", right},
                       {msg("high"), "high_yuan", right},
                       {msg("condition"), "condition"},
                       {msg("basis"), "basis"},
                       {msg("rows"), "rows", right},
                       {msg("newest"), "newest"},
                       {"", "stale"}},
                      {}};
  std::vector<std::string> items;
  for (const auto& row : catalog.prices)
    if (std::find(items.begin(), items.end(), row.item) == items.end()) items.push_back(row.item);
  for (const auto& item : items) {
    const auto found = catalog.price(item);
    if (!found) continue;
    list.rows.push_back({text(item), quantity(found->range.likely, yuan), quantity(found->range.low, yuan),
                         quantity(found->range.high, yuan), text(std::string{to_text(found->condition)}),
                         text(std::string{to_text(found->basis)}), count(found->rows), text(found->newest),
                         Cell{found->stale ? "old" : "", found->stale}});
  }
  return list;
}

CatalogListing list_rent(const Catalog& catalog) {
  CatalogListing list{"rent",
                      {{"id", "id"},
                       {msg("provider"), "provider"},
                       {msg("card"), "gpu"},
                       {"price/h", "per_card_hour", right},
                       {"", "currency"},
                       {"yuan/h", "yuan_per_card_hour", right},
                       {msg("terms"), "terms"},
                       {msg("date"), "date"}},
                      {}};
  for (const auto& offer : catalog.rent.entries) {
    const auto in_yuan = catalog.exchange.convert(offer.per_card_hour);
    list.rows.push_back({text(offer.id), text(offer.provider), text(offer.gpu.empty() ? offer.gpu_text : offer.gpu),
                         number(offer.per_card_hour.amount), text(offer.per_card_hour.currency), quantity(in_yuan, yuan),
                         text(offer.terms), text(offer.date)});
  }
  return list;
}

CatalogListing list_warnings(const Catalog& catalog) {
  CatalogListing list{"warnings", {{msg("code"), "id"}, {msg("title"), "title"}}, {}};
  for (const auto& warning : catalog.warnings.entries) list.rows.push_back({text(warning.id), text(warning.title)});
  return list;
}

CatalogListing list_models(std::span<const TransformerModel> models) {
  CatalogListing list{"models",
                      {{"id", "id"},
                       {msg("layers"), "layers", right},
                       {msg("hidden"), "hidden", right},
                       {msg("vocabulary"), "vocabulary", right},
                       {msg("context"), "native_context", right},
                       {msg("parameters 1e9"), "stated_parameters_1e9", right}},
                      {}};
  for (const auto& model : models)
    list.rows.push_back({text(model.id), count(model.layers()), count(model.hidden), count(model.vocabulary),
                         count(model.native_context), model.stated_parameters ? number(*model.stated_parameters / 1e9) : Cell{}});
  return list;
}

constexpr std::string_view families[] = {"gpus",   "boards", "cpus",    "parts",         "models",
                                         "prices", "rent",   "engines", "architectures", "warnings"};

}  // namespace

std::span<const std::string_view> listable_families() { return families; }

CatalogListing list_catalog(const Catalog& catalog, std::string_view family, std::span<const TransformerModel> models) {
  if (family == "boards") return list_boards(catalog);
  if (family == "cpus") return list_cpus(catalog);
  if (family == "parts") return list_parts(catalog);
  if (family == "models") return list_models(models);
  if (family == "prices") return list_prices(catalog);
  if (family == "rent") return list_rent(catalog);
  if (family == "engines") return list_engines(catalog);
  if (family == "architectures") return list_architectures(catalog);
  if (family == "warnings") return list_warnings(catalog);
  return list_gpus(catalog);
}

}  // namespace rigplan
