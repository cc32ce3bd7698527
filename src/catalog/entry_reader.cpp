// SPDX-License-Identifier: Apache-2.0
#include "catalog/entry_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catalog/shelf_reader.h"
#include "rigplan/units/format.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

constexpr std::string_view vendors[] = {"amd", "nvidia", "intel", "huawei", "moore-threads", "other"};

bool is_id(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  };
  return std::all_of(text.begin(), text.end(), allowed);
}

bool is_warning_code(std::string_view text) {
  const auto allowed = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  return text.starts_with("W_") && text.size() > 2 && std::all_of(text.begin(), text.end(), allowed);
}

/// Limits are round numbers of their own unit, which to_text() would round.
template <class Q>
std::string limit_text(Q limit) {
  return to_text(limit);
}
std::string limit_text(Bytes limit) {
  return limit >= TiB ? fmt::format("{} TiB", format_number(limit.in(TiB))) : to_text(limit);
}

}  // namespace

std::span<const std::string_view> vendor_names() { return vendors; }

template <class Q>
Q read_within(Cursor at, Q least, Q greatest) {
  const auto found = at.quantity<Q>();
  if (found < least || found > greatest)
    at.fail(fmt::format("is \"{}\"; expected {} to {}", at.text(), limit_text(least), limit_text(greatest)));
  return found;
}

template Bytes read_within(Cursor, Bytes, Bytes);
template Bandwidth read_within(Cursor, Bandwidth, Bandwidth);
template FlopRate read_within(Cursor, FlopRate, FlopRate);
template Seconds read_within(Cursor, Seconds, Seconds);
template Watts read_within(Cursor, Watts, Watts);
template Yuan read_within(Cursor, Yuan, Yuan);
template YuanPerJoule read_within(Cursor, YuanPerJoule, YuanPerJoule);
template YuanPerSecond read_within(Cursor, YuanPerSecond, YuanPerSecond);

PcieLink read_pcie_link(Cursor at) {
  const auto& text = at.text();
  constexpr std::string_view start = "PCIe ";
  constexpr std::array lane_counts = {1, 2, 4, 8, 12, 16, 32};
  if (text.starts_with(start) && text.size() > start.size()) {
    const int generation = text[start.size()] - '0';
    const auto lanes = parse_integer(std::string_view{text}.substr(text.rfind('x') + 1), 1, 32);
    const auto* count = std::get_if<long long>(&lanes);
    const bool exists = count && std::ranges::find(lane_counts, *count) != lane_counts.end() && generation >= 1 && generation <= 7;
    if (exists && to_text(PcieLink{generation, static_cast<int>(*count)}) == text) return {generation, static_cast<int>(*count)};
  }
  at.fail(fmt::format("is \"{}\"; expected a link such as \"PCIe 4.0 x16\" (generations 1.0 to 7.0; 1, 2, 4, 8, 12, 16 or 32 lanes)",
                      text));
}

std::string to_text(PcieLink link) { return fmt::format("PCIe {}.0 x{}", link.generation, link.lanes); }

void check_id(const JsonFile& file, Cursor id, std::map<std::string, Cursor, std::less<>>& seen) {
  const auto& text = id.text();
  if (!is_id(text) && !is_warning_code(text))
    id.fail(fmt::format("is \"{}\"; expected lower-case letters, digits, '-', '.' and '_'", text));
  const auto [before, is_new] = seen.emplace(text, id);
  if (!is_new)
    id.fail(fmt::format("the id \"{}\" stands twice in {}, first on line {}", text, file.name(), before->second.place().line));
}

EntryReader::EntryReader(Cursor at, const SourceTable& sources, Entry& entry, const std::string& file)
    : overlay_{!entry.id.empty()}, figures_{at, sources, entry, overlay_ ? file : std::string{}} {
  if (overlay_)
    ++entry.overlays;
  else
    entry.file = file;
}

std::optional<Cursor> EntryReader::required(std::string_view field) {
  return overlay_ ? figures_.optional(field) : figures_.required(field);
}

template <class Q>
void EntryReader::required(std::string_view field, Q& target, Q least, Q greatest) {
  if (const auto at = required(field)) target = read_within(*at, least, greatest);
}
template <class Q>
void EntryReader::optional(std::string_view field, std::optional<Q>& target, Q least, Q greatest) {
  if (const auto at = optional(field)) target = read_within(*at, least, greatest);
}

template void EntryReader::required(std::string_view, Bytes&, Bytes, Bytes);
template void EntryReader::required(std::string_view, Bandwidth&, Bandwidth, Bandwidth);
template void EntryReader::required(std::string_view, Seconds&, Seconds, Seconds);
template void EntryReader::required(std::string_view, Watts&, Watts, Watts);
template void EntryReader::required(std::string_view, YuanPerJoule&, YuanPerJoule, YuanPerJoule);
template void EntryReader::optional(std::string_view, std::optional<Bytes>&, Bytes, Bytes);
template void EntryReader::optional(std::string_view, std::optional<Bandwidth>&, Bandwidth, Bandwidth);
template void EntryReader::optional(std::string_view, std::optional<FlopRate>&, FlopRate, FlopRate);
template void EntryReader::optional(std::string_view, std::optional<Watts>&, Watts, Watts);

void EntryReader::required(std::string_view field, std::string& target) {
  if (const auto at = required(field)) target = at->text();
}
void EntryReader::optional(std::string_view field, std::string& target) {
  if (const auto at = optional(field)) target = at->text();
}
void EntryReader::optional(std::string_view field, std::vector<std::string>& target) {
  if (const auto at = optional(field)) target = at->texts();
}
void EntryReader::optional(std::string_view field, bool& target) {
  if (const auto at = optional(field)) target = at->boolean();
}
void EntryReader::optional(std::string_view field, int& target, int least, int greatest) {
  if (const auto at = optional(field)) target = static_cast<int>(at->integer(least, greatest));
}
void EntryReader::optional(std::string_view field, double& target, double least, double greatest) {
  if (const auto at = optional(field)) target = at->number_within(least, greatest);
}
void EntryReader::optional(std::string_view field, std::optional<PcieLink>& target) {
  if (const auto at = optional(field)) target = read_pcie_link(*at);
}
void EntryReader::required(std::string_view field, PcieLink& target) {
  if (const auto at = required(field)) target = read_pcie_link(*at);
}

void EntryReader::warnings(std::vector<std::string>& target) {
  const auto at = plain("warnings");
  if (!at) return;
  target = at->texts();
  for (const auto& code : at->elements())
    if (!code.text().starts_with("W_"))
      code.fail(fmt::format("is \"{}\"; expected a warning code such as \"W_VBIOS\"", code.text()));
}

}  // namespace rigplan
