// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/catalog_listing.h"
#include "rigplan/report/text_table.h"
#include "text/tr.h"

namespace rigplan {

std::string to_text(const CatalogListing& listing, const Screen& screen) {
  std::vector<TextTable::Column> heads;
  for (const auto& column : listing.columns)
    heads.push_back({column.key == "memory_type" ? trc("bill", "memory") : tr(column.head), column.align});
  // The id and the warnings, or what else stands last, say most; of the others the first stay longest.
  std::vector<std::size_t> left_out;
  for (auto column = heads.size() - 1; column-- > 1;) left_out.push_back(column);
  const auto last = heads.size() - 1;
  TextTable table{std::move(heads)};
  table.narrowed({last, 0}, std::move(left_out));
  for (const auto& row : listing.rows) {
    std::vector<std::string> cells;
    for (const auto& cell : row) cells.push_back(cells.empty() ? cell.text : tr(cell.text));  // ids stay
    table.row_with_tail(std::move(cells));
  }
  return table.text(screen);
}

JsonValue to_json(const CatalogListing& listing) {
  auto rows = JsonValue::array();
  for (const auto& row : listing.rows) {
    auto object = JsonValue::object();
    for (std::size_t i = 0; i < row.size(); ++i) object.set(listing.columns[i].key, row[i].value);
    rows.push(std::move(object));
  }
  return JsonValue::object()
      .set("schema", "rigplan/catalog-list/1")
      .set("query", JsonValue::object().set("family", listing.family))
      .set("rows", std::move(rows));
}

}  // namespace rigplan
