// SPDX-License-Identifier: Apache-2.0
#include "rigplan/import/rent_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "rigplan/json/cursor.h"
#include "rigplan/json/json_file.h"
#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"
#include "rigplan/validate/csv.h"

namespace rigplan {
namespace {

/// One row of either format, still as text; `where` is for messages.
struct ListingRow {
  std::map<std::string, std::string, std::less<>> fields;
  Place where;

  std::string_view text(std::initializer_list<std::string_view> names) const {
    for (const auto name : names)
      if (const auto found = fields.find(name); found != fields.end()) return found->second;
    return {};
  }
  double number(std::initializer_list<std::string_view> names) const {
    const auto given = text(names);
    if (given.empty()) return 0;
    const auto parsed = parse_number(given);
    if (const auto* value = std::get_if<double>(&parsed)) return *value;
    throw DataError{where, fmt::format("{} is \"{}\"; expected a number", *names.begin(), given)};
  }
};

std::vector<ListingRow> rows_of_csv(const std::string& file, std::string_view text) {
  const auto records = parse_csv(file, text);
  if (records.empty()) throw DataError{{file, 0, ""}, msg("is empty; expected a head line and offers")};
  const auto& head = records.front().fields;
  std::vector<ListingRow> rows;
  for (auto record = records.begin() + 1; record != records.end(); ++record) {
    ListingRow row{.fields = {}, .where = {file, record->line, ""}};
    if (record->fields.size() != head.size())
      throw DataError{row.where, fmt::format("has {} fields; the head line has {}", record->fields.size(), head.size())};
    for (std::size_t i = 0; i < head.size(); ++i) row.fields[head[i]] = record->fields[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string text_of_value(const JsonValue& value) {
  if (const auto* text = value.text()) return *text;
  if (const auto* flag = value.boolean()) return *flag ? "True" : "False";
  return value.is_null() ? "" : to_json_text(value, 0);
}

std::vector<ListingRow> rows_of_json(const std::string& file, std::string_view text) {
  const auto json = JsonFile::parse(file, std::string{text});
  const auto* list = &json.root();
  for (const auto* name : {"items", "offers", "data"})
    if (list->members())
      if (const auto* inner = list->find(name)) list = inner;
  Cursor at{json, *list};
  std::vector<ListingRow> rows;
  for (const auto& element : at.elements()) {
    const auto* members = element.value().members();
    if (!members) element.fail("is not an object; expected an offer");
    ListingRow row{.fields = {}, .where = element.place()};
    for (const auto& member : *members) row.fields[member.key] = text_of_value(member.value);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// "80 GiB" of SkyPilot's GpuInfo, a Python dictionary in which the memory of one card stands as 'SizeInMiB': 81920.
Bytes memory_of_info(std::string_view info) {
  constexpr std::string_view key = "SizeInMiB': ";
  const auto at = info.find(key);
  if (at == std::string_view::npos) return {};
  const auto digits = info.substr(at + key.size(), info.substr(at + key.size()).find_first_not_of("0123456789."));
  const auto number = parse_number(digits);
  const auto* value = std::get_if<double>(&number);
  return value ? *value * MiB : Bytes{};
}

std::string slug(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool good = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (good || c == '.')
      made += lower;
    else if (!made.empty() && made.back() != '-')
      made += '-';
  }
  while (!made.empty() && made.back() == '-') made.pop_back();
  return made.empty() ? "offer" : made;
}

/// Letters and digits alone, small.
std::string squeezed(std::string_view text) {
  auto made = slug(text);
  std::erase_if(made, [](char c) { return c == '-' || c == '.'; });
  for (const auto* word : {"nvidia", "amd", "instinct", "geforce", "radeon", "tesla"})
    if (made.starts_with(word) && made.size() > std::string_view{word}.size()) made.erase(0, std::string_view{word}.size());
  return made;
}

bool near(Bytes a, Bytes b) { return std::abs(a / b - 1) < 0.07; }

bool is_true(std::string_view text) { return text == "True" || text == "true" || text == "1"; }

}  // namespace

std::string gpu_of_listing(const Catalog& catalog, std::string_view name, Bytes memory) {
  const auto wanted = squeezed(name);
  std::vector<const Gpu*> exact, starting;
  for (const auto& gpu : catalog.gpus.entries) {
    if (memory > Bytes{} && !near(gpu.vram, memory)) continue;
    std::vector<std::string> names{squeezed(gpu.id), squeezed(gpu.name)};
    for (const auto& alias : gpu.aliases) names.push_back(squeezed(alias));
    if (std::find(names.begin(), names.end(), wanted) != names.end()) exact.push_back(&gpu);
    // "A100" or "A100-80GB" for a card whose id adds memory or form: what follows must not be a name of its own.
    const auto id = squeezed(gpu.id);
    if (id.starts_with(wanted) && id.size() > wanted.size()) {
      const auto rest = id.substr(wanted.size());
      if (rest.starts_with("pcie") || rest.starts_with("sxm") || rest.starts_with("oam") || rest.ends_with("gb"))
        starting.push_back(&gpu);
    }
  }
  const auto& found = exact.empty() ? starting : exact;
  return found.size() == 1 ? found.front()->id : "";
}

RentList import_rent_list(const std::string& file, std::string_view text, const Catalog& catalog,
                          const RentListOptions& options) {
  const auto start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool json = start != std::string_view::npos && (text[start] == '[' || text[start] == '{');
  const auto rows = json ? rows_of_json(file, text) : rows_of_csv(file, text);
  if (!rows.empty() && rows.front().text({"AcceleratorName", "gpu_name"}).empty() &&
      !rows.front().fields.contains("AcceleratorName") && !rows.front().fields.contains("gpu_name"))
    throw DataError{rows.front().where, msg("has neither AcceleratorName (SkyPilot) nor gpu_name (gpuhunt)")};
  RentList list;
  std::set<std::string> ids, asked;
  for (const auto& row : rows) {
    const auto name = row.text({"AcceleratorName", "gpu_name"});
    const double cards = row.number({"AcceleratorCount", "gpu_count"}), price = row.number({"Price", "price"}),
                 spot = row.number({"SpotPrice"});
    if (name.empty() || cards < 1 || std::floor(cards) != cards || (price <= 0 && spot <= 0)) {
      ++list.without_gpu;
      continue;
    }
    const auto stated = row.number({"gpu_memory"}) * GiB;
    const auto memory = stated > Bytes{} ? stated : memory_of_info(row.text({"GpuInfo", "GPUInfo"}));
    const bool interruptible = price <= 0 || is_true(row.text({"spot"}));
    RentOffer offer;
    offer.provider = row.text({"provider", "Cloud"}).empty() ? options.provider : std::string{row.text({"provider", "Cloud"})};
    offer.gpu = gpu_of_listing(catalog, name, memory);
    offer.gpu_text = memory > Bytes{} ? fmt::format("{} {:.0f} GiB", name, memory.in(GiB)) : std::string{name};
    offer.cards = static_cast<int>(cards);
    offer.per_card_hour = {(price > 0 ? price : spot) / cards, options.currency};
    if (spot > 0 && price > 0) offer.spot_per_card_hour = Money{spot / cards, options.currency};
    offer.terms = interruptible ? "spot" : "on-demand";
    offer.region = row.text({"Region", "location"});
    offer.date = options.date;
    const auto base = slug(fmt::format("{}-{}-{}{}", offer.provider, row.text({"InstanceType", "instance_name"}), offer.region,
                                       interruptible ? "-spot" : ""));
    offer.id = base;
    for (int n = 2; !ids.insert(offer.id).second; ++n) offer.id = fmt::format("{}-{}", base, n);
    if (offer.gpu.empty() && asked.insert(offer.gpu_text).second)
      list.questions.push_back(
          fmt::format("\"{}\" is no card of the catalog, or could be several; its offers have no \"gpu\"", offer.gpu_text));
    list.offers.push_back(std::move(offer));
  }
  return list;
}

JsonValue rent_catalog_json(const RentList& list, const std::string& where, const RentListOptions& options) {
  auto source = JsonValue::object().set("where", where);
  if (!options.date.empty()) source.set("date", options.date);
  auto offers = JsonValue::array();
  const auto hourly = [](const Money& money) { return fmt::format("{:.6g} {}/h", money.amount, money.currency); };
  for (const auto& offer : list.offers) {
    auto json = JsonValue::object().set("id", offer.id).set("source", "list").set("provider", offer.provider);
    if (!offer.gpu.empty()) json.set("gpu", offer.gpu);
    json.set("gpu_text", offer.gpu_text).set("cards", offer.cards).set("per_card_hour", hourly(offer.per_card_hour));
    if (offer.spot_per_card_hour) json.set("spot_per_card_hour", hourly(*offer.spot_per_card_hour));
    json.set("terms", offer.terms);
    if (!offer.region.empty()) json.set("region", offer.region);
    offers.push(json.set("date", offer.date.empty() ? "undated" : offer.date));
  }
  return JsonValue::object()
      .set("schema", "rigplan/rent/1")
      .set("sources", JsonValue::object().set("list", std::move(source)))
      .set("rent", std::move(offers));
}

}  // namespace rigplan
