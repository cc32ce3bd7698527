// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_merge.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "cli/session.h"
#include "cli/sweep_output.h"
#include "rigplan/json/cursor.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// One shard: its head, and the point of its first row (-1: it has none).
struct Shard {
  std::string path;
  SweepFormat format = SweepFormat::jsonl;
  std::string head;          ///< the header without its shard, or the names of the columns
  std::int64_t points = -1;  ///< of the whole sweep; -1: the file does not say
  std::int64_t first_row = -1;
};

struct CloseReader {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Database = std::unique_ptr<sqlite3, CloseReader>;
struct FinishReader {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Reader = std::unique_ptr<sqlite3_stmt, FinishReader>;

Database open_shard(const std::string& path) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  Database database{opened};
  if (code != SQLITE_OK) throw DataError{{path, 0, ""}, fmt::format("cannot be read: {}", sqlite3_errmsg(opened))};
  return database;
}

Reader reader_of(const Database& database, const std::string& path, const std::string& query) {
  sqlite3_stmt* made = nullptr;
  if (sqlite3_prepare_v2(database.get(), query.c_str(), -1, &made, nullptr) != SQLITE_OK)
    throw DataError{{path, 0, ""}, fmt::format("is not a database of rigplan sweep: {}", sqlite3_errmsg(database.get()))};
  return Reader{made};
}

std::string column_text(const Reader& reader, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(reader.get(), column));
  return text ? text : "";
}

/// The header with no shard in it, as a single run has it.
JsonValue header_of_whole(const std::string& path, const std::string& text) {
  auto file = JsonFile::parse(path, text);
  const auto* schema = file.root().members() ? file.root().find("schema") : nullptr;
  if (!schema || !schema->text() || *schema->text() != "rigplan/sweep/1")
    throw DataError{{path, 1, "/schema"}, msg("is not there; expected an output of rigplan sweep")};
  return file.root().set("shard", JsonValue{});
}

std::ifstream open_lines(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) throw DataError{{path, 0, ""}, msg("cannot be read")};
  return file;
}

Shard look_at(const std::string& path) {
  Shard shard;
  shard.path = path;
  auto file = open_lines(path);
  std::string line;
  std::getline(file, line);
  if (line.starts_with("SQLite format 3")) {
    shard.format = SweepFormat::sqlite;
    const auto database = open_shard(path);
    const auto head = reader_of(database, path, "SELECT value FROM about WHERE key = 'header'");
    if (sqlite3_step(head.get()) != SQLITE_ROW)
      throw DataError{{path, 0, ""}, msg("has no header; expected an output of rigplan sweep")};
    const auto header = header_of_whole(path, column_text(head, 0));
    shard.head = to_json_text(header, 0);
    shard.points = *header.find("points")->integer();
    const auto rows = reader_of(database, path, "SELECT min(point) FROM sweep");
    if (sqlite3_step(rows.get()) == SQLITE_ROW && sqlite3_column_type(rows.get(), 0) != SQLITE_NULL)
      shard.first_row = sqlite3_column_int64(rows.get(), 0);
    return shard;
  }
  if (line.starts_with("{")) {
    const auto header = header_of_whole(path, line);
    shard.head = to_json_text(header, 0);
    shard.points = *header.find("points")->integer();
  } else if (line.starts_with("point,")) {
    shard.format = SweepFormat::csv;
    shard.head = line;
  } else {
    throw DataError{{path, 1, ""}, msg("is not an output of rigplan sweep; expected JSON Lines, CSV or a database")};
  }
  if (std::getline(file, line)) shard.first_row = point_of_line(line);
  return shard;
}

void check_alike(const std::vector<Shard>& shards) {
  for (const auto& shard : shards) {
    if (shard.format != shards.front().format)
      throw UsageError{fmt::format("merge: {} and {} are of different formats", shards.front().path, shard.path)};
    if (shard.head != shards.front().head)
      throw UsageError{fmt::format("merge: {} and {} belong to different sweeps", shards.front().path, shard.path)};
  }
}

/// Rows must come point by point.
class PointOrder {
 public:
  void next(std::int64_t point, const std::string& path) {
    if (point == expected_) {
      ++expected_;
      return;
    }
    if (point < 0) throw UsageError{fmt::format("merge: {} has a row without a point behind point {}", path, expected_ - 1)};
    throw UsageError{point > expected_ ? fmt::format("merge: points {} to {} are missing before {}", expected_, point - 1, path)
                                       : fmt::format("merge: point {} of {} is there already", point, path)};
  }
  void end(std::int64_t points) const {
    if (points >= 0 && expected_ != points)
      throw UsageError{fmt::format("merge: points {} to {} are missing", expected_, points - 1)};
  }
  std::int64_t points() const { return expected_; }

 private:
  std::int64_t expected_ = 0;
};

void merge_lines(const std::vector<Shard>& shards, SweepOutput& output) {
  PointOrder order;
  for (const auto& shard : shards) {
    auto file = open_lines(shard.path);
    std::string line;
    std::getline(file, line);
    SweepBlock block;
    while (std::getline(file, line)) {
      if (file.eof()) throw UsageError{fmt::format("merge: {} ends within a row; finish it with sweep --resume", shard.path)};
      order.next(point_of_line(line), shard.path);
      block.text.append(line).append(1, '\n');
      block.end = order.points();
      if (block.text.size() < (1 << 20)) continue;
      output.write(block);
      block.text.clear();
    }
    output.write(block);
  }
  order.end(shards.front().points);
}

void merge_databases(const std::vector<Shard>& shards, std::size_t fields, SweepOutput& output) {
  PointOrder order;
  SweepBlock block;
  auto& row = block.rows.emplace_back();
  for (const auto& shard : shards) {
    const auto database = open_shard(shard.path);
    const auto rows = reader_of(database, shard.path, "SELECT * FROM sweep ORDER BY point");
    while (sqlite3_step(rows.get()) == SQLITE_ROW) {
      int at = 0;
      row.point = sqlite3_column_int64(rows.get(), at++);
      order.next(row.point, shard.path);
      row.axis_values.resize(fields);
      for (auto& value : row.axis_values) {
        const bool real = sqlite3_column_type(rows.get(), at) == SQLITE_FLOAT;
        value = real ? fmt::format("{}", sqlite3_column_double(rows.get(), at)) : column_text(rows, at);
        ++at;
      }
      row.fits = sqlite3_column_int(rows.get(), at++) != 0;
      for (auto* text : {&row.reason, &row.plan, &row.limited_by}) *text = column_text(rows, at++);
      for (auto& number : row.numbers) {
        const bool known = sqlite3_column_type(rows.get(), at) != SQLITE_NULL;
        number = known ? sqlite3_column_double(rows.get(), at) : std::numeric_limits<double>::quiet_NaN();
        ++at;
      }
      output.write(block);
    }
  }
  order.end(shards.front().points);
}

std::vector<std::string> fields_of_header(const std::string& path, const std::string& header) {
  const auto file = JsonFile::parse(path, header);
  std::vector<std::string> fields;
  for (const auto& axis : Cursor{file, *file.root().find("axes")}.elements())
    for (const auto& field : Cursor{file, *axis.value().find("fields")}.texts()) fields.push_back(field);
  return fields;
}

}  // namespace

void merge_sweeps(const std::vector<std::string>& paths, const std::string& out) {
  std::vector<Shard> shards;
  for (const auto& path : paths) shards.push_back(look_at(path));
  check_alike(shards);
  std::erase_if(shards,
                [&](const Shard& shard) { return shard.first_row < 0 && shards.size() > 1 && &shard != &shards.front(); });
  std::stable_sort(shards.begin(), shards.end(), [](const Shard& a, const Shard& b) { return a.first_row < b.first_row; });
  const auto& first = shards.front();
  if (first.format == SweepFormat::sqlite) {
    if (out == "-") throw UsageError{msg("merge: a database needs --out FILE")};
    const auto fields = fields_of_header(first.path, first.head);
    const auto output = database_output(out, JsonFile::parse(first.path, first.head).root(), fields);
    output->start(0, false);
    merge_databases(shards, fields.size(), *output);
    output->finish();
    return;
  }
  const auto output = merged_text_output(out, first.head + "\n");
  output->start(0, false);
  merge_lines(shards, *output);
  output->finish();
}

}  // namespace rigplan
