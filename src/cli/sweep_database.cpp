// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sqlite3.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "cli/session.h"
#include "cli/sweep_output.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/format.h"

namespace rigplan {
namespace {

namespace fs = std::filesystem;

/// A transaction ends in front of every multiple of this many points, wherever the run began, so that a run that was taken up
/// again or that merges shards leaves the same file.
constexpr std::int64_t points_of_a_transaction = 1 << 15;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct FinishStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

class DatabaseOutput : public SweepOutput {
 public:
  DatabaseOutput(std::string path, const JsonValue& header, std::vector<std::string> fields)
      : path_{std::move(path)}, header_{to_json_text(header, 0)}, fields_{std::move(fields)} {}

  std::int64_t start(std::int64_t begin, bool resume) override {
    std::error_code failure;
    first_ = safe_ = begin;
    if (resume && fs::exists(path_, failure) && !fs::exists(part_path(), failure)) {
      open(path_);
      complete_ = header_in_file() == header_;
      if (complete_) return std::numeric_limits<std::int64_t>::max();
      database_.reset();
    }
    if (resume && fs::exists(part_path(), failure)) {
      open(part_path());
      const auto there = header_in_file();
      if (!there.empty() && there != header_)
        throw UsageError{fmt::format("--resume: {} belongs to another sweep. Without --resume it is begun anew", part_path())};
      if (!there.empty()) {
        safe_ = first_missing(begin);
        prepare_insert();
        run("BEGIN");
        return safe_;
      }
      database_.reset();
    }
    fs::remove(part_path(), failure);
    fs::remove(part_path() + "-journal", failure);
    open(part_path());
    run("BEGIN");
    create();
    prepare_insert();
    return begin;
  }

  void write(const SweepBlock& block) override {
    for (const auto& row : block.rows) {
      insert(row);
      if ((row.point + 1) % points_of_a_transaction != 0) continue;
      run("COMMIT");
      safe_ = row.point + 1;
      run("BEGIN");
    }
  }

  void finish() override {
    if (complete_) return;
    run("COMMIT");
    insert_.reset();
    if (sqlite3_close(database_.release()) != SQLITE_OK) fail("the database cannot be closed");
    std::error_code failure;
    fs::rename(part_path(), path_, failure);
    if (failure) throw OutputError{fmt::format("{} cannot be written: {}", path_, failure.message()), false};
  }

 private:
  std::string part_path() const { return path_ + ".part"; }

  void open(const std::string& path) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK) fail(sqlite3_errmsg(opened));
    // The end of the program loses nothing without waiting for the disk; --resume looks at what a transaction left.
    run("PRAGMA synchronous=OFF");
  }

  void run(const std::string& command) {
    if (sqlite3_exec(database_.get(), command.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      fail(sqlite3_errmsg(database_.get()));
  }

  std::unique_ptr<sqlite3_stmt, FinishStatement> statement(const std::string& text) {
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v2(database_.get(), text.c_str(), -1, &made, nullptr) != SQLITE_OK) return nullptr;
    return std::unique_ptr<sqlite3_stmt, FinishStatement>{made};
  }

  /// The first row of an answer; nullptr where it has none. A damaged file is never taken for an empty one.
  std::unique_ptr<sqlite3_stmt, FinishStatement> first_row(const std::string& question) {
    auto ask = statement(question);
    const int code = ask ? sqlite3_step(ask.get()) : SQLITE_ERROR;
    if (code == SQLITE_ROW) return ask;
    if (code == SQLITE_DONE) return nullptr;
    throw UsageError{fmt::format("--resume: {} cannot be read: {}. Without --resume it is begun anew",
                                 sqlite3_db_filename(database_.get(), "main"), sqlite3_errmsg(database_.get()))};
  }

  /// Empty where there is no such table: the first transaction never ended.
  std::string header_in_file() {
    if (!first_row("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'about'")) return "";
    const auto header = first_row("SELECT value FROM about WHERE key = 'header'");
    return header ? reinterpret_cast<const char*>(sqlite3_column_text(header.get(), 0)) : "";
  }

  std::int64_t first_missing(std::int64_t begin) {
    const auto ask = first_row("SELECT max(point), count(*) FROM sweep");
    if (sqlite3_column_int64(ask.get(), 1) == 0) return begin;
    const auto next = sqlite3_column_int64(ask.get(), 0) + 1;
    if (next - begin != sqlite3_column_int64(ask.get(), 1))
      throw UsageError{
          fmt::format("--resume: {} was changed: rows are missing in it. Without --resume it is begun anew", part_path())};
    return next;
  }

  void create() {
    std::string columns;
    for (const auto& name : sweep_column_names(fields_)) {
      std::string quoted;
      for (const char c : name) quoted += c == '"' ? std::string{"\"\""} : std::string{c};
      columns += fmt::format("{}\"{}\"{}", columns.empty() ? "" : ", ", quoted, columns.empty() ? " INTEGER PRIMARY KEY" : "");
    }
    run("CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
    run(fmt::format("CREATE TABLE sweep ({})", columns));
    const auto put = statement("INSERT INTO about VALUES ('header', ?)");
    if (!put) fail(sqlite3_errmsg(database_.get()));
    sqlite3_bind_text(put.get(), 1, header_.data(), static_cast<int>(header_.size()), SQLITE_STATIC);
    if (sqlite3_step(put.get()) != SQLITE_DONE) fail(sqlite3_errmsg(database_.get()));
  }

  void prepare_insert() {
    std::string marks = "?";
    for (std::size_t i = 1; i < sweep_column_names(fields_).size(); ++i) marks += ",?";
    insert_ = statement(fmt::format("INSERT INTO sweep VALUES ({})", marks));
    if (!insert_) fail(sqlite3_errmsg(database_.get()));
  }

  void bind_text(int at, const std::string& text) {
    if (text.empty())
      sqlite3_bind_null(insert_.get(), at);
    else
      sqlite3_bind_text(insert_.get(), at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  }

  void bind_axis(int at, const std::string& text) {
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size()) return bind_text(at, text);
    if (value == std::floor(value) && std::abs(value) < 1e15)
      sqlite3_bind_int64(insert_.get(), at, static_cast<std::int64_t>(value));
    else
      sqlite3_bind_double(insert_.get(), at, value);
  }

  void insert(const SweepRow& row) {
    int at = 1;
    sqlite3_bind_int64(insert_.get(), at++, row.point);
    for (const auto& value : row.axis_values) bind_axis(at++, value);
    sqlite3_bind_int(insert_.get(), at++, row.fits ? 1 : 0);
    for (const auto* text : {&row.reason, &row.plan, &row.limited_by}) bind_text(at++, *text);
    for (const double number : row.numbers)
      if (std::isfinite(number))
        sqlite3_bind_double(insert_.get(), at++, number);
      else
        sqlite3_bind_null(insert_.get(), at++);
    if (sqlite3_step(insert_.get()) != SQLITE_DONE) fail(sqlite3_errmsg(database_.get()));
    sqlite3_reset(insert_.get());
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw OutputError{fmt::format("{} cannot be written: {}{}", part_path(), why,
                                  safe_ > first_ ? fmt::format("; its first {} rows are safe, and --resume goes on behind them",
                                                               format_whole(static_cast<double>(safe_ - first_)))
                                                 : ""),
                      false};
  }

  std::string path_, header_;
  std::vector<std::string> fields_;
  std::unique_ptr<sqlite3, CloseDatabase> database_;
  std::unique_ptr<sqlite3_stmt, FinishStatement> insert_;
  bool complete_ = false;
  std::int64_t first_ = 0, safe_ = 0;  ///< points
};

}  // namespace

std::unique_ptr<SweepOutput> database_output(const std::string& path, const JsonValue& header,
                                             const std::vector<std::string>& fields) {
  return std::make_unique<DatabaseOutput>(path, header, fields);
}

}  // namespace rigplan
