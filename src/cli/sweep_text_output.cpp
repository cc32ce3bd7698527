// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "cli/session.h"
#include "cli/sweep_output.h"
#include "rigplan/json/json_file.h"
#include "rigplan/report/rows_format.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

namespace fs = std::filesystem;

/// What an unfinished file holds: whole lines, and where the last one ends.
struct WholeLines {
  std::int64_t lines = 0;
  std::uint64_t bytes = 0;
  std::string last;  ///< without its end
};

WholeLines whole_lines_of(const std::string& path) {
  WholeLines whole;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return whole;
  std::vector<char> buffer(1 << 16);
  std::string line;
  std::uint64_t read_before = 0;
  while (const auto size = std::fread(buffer.data(), 1, buffer.size(), file)) {
    std::size_t begin = 0;
    while (const auto* end = static_cast<const char*>(std::memchr(buffer.data() + begin, '\n', size - begin))) {
      const auto at = static_cast<std::size_t>(end - buffer.data());
      line.append(buffer.data() + begin, at - begin);
      std::swap(whole.last, line);
      line.clear();
      ++whole.lines;
      begin = at + 1;
      whole.bytes = read_before + begin;
    }
    line.append(buffer.data() + begin, size - begin);
    read_before += size;
  }
  std::fclose(file);
  return whole;
}

class TextOutput : public SweepOutput {
 public:
  /// @param head the first line of the file
  TextOutput(std::string path, std::string header, std::string head)
      : path_{std::move(path)}, header_{std::move(header)}, head_{std::move(head)} {
    std::error_code failure;
    direct_ = path_ == "-" || (fs::exists(path_, failure) && !fs::is_regular_file(path_, failure));
  }
  ~TextOutput() override {
    if (file_ > STDERR_FILENO) ::close(file_);
  }

  std::int64_t start(std::int64_t begin, bool resume) override {
    safe_ = first_ = begin;
    if (direct_) {
      if (resume) throw UsageError{msg("--resume needs --out FILE, which an earlier run began")};
      file_ = path_ == "-" ? STDOUT_FILENO : ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
      if (file_ < 0) fail();
      put(head_);
      return begin;
    }
    if (resume && is_complete()) {
      complete_ = true;
      return std::numeric_limits<std::int64_t>::max();
    }
    if (resume && continues()) return safe_;
    write_file(resume_path(), header_);
    open(O_TRUNC);
    put(head_);
    return begin;
  }

  void write(const SweepBlock& block) override {
    put(block.text);
    safe_ = block.end;
  }

  void finish() override {
    if (direct_ || complete_) return;
    std::error_code failure;
    fs::rename(part_path(), path_, failure);
    if (failure) throw OutputError{fmt::format("{} cannot be written: {}", path_, failure.message()), false};
    fs::remove(resume_path(), failure);
  }

 private:
  std::string part_path() const { return path_ + ".part"; }
  std::string resume_path() const { return path_ + ".resume"; }

  void open(int flags) {
    file_ = ::open(part_path().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    if (file_ < 0) fail();
  }

  /// Whether an earlier run came to its end.
  bool is_complete() const {
    std::error_code failure;
    if (fs::exists(part_path(), failure) || !fs::is_regular_file(path_, failure)) return false;
    if (fs::exists(resume_path(), failure)) return read_file(resume_path()) == header_;  // ended between two steps of finish()
    std::ifstream file{path_, std::ios::binary};
    std::string line;
    return head_ == header_ && std::getline(file, line) && line + "\n" == header_;
  }

  /// Takes up what an earlier run left. False when there is nothing.
  bool continues() {
    std::error_code failure;
    if (!fs::exists(resume_path(), failure) || !fs::exists(part_path(), failure)) return false;
    if (read_file(resume_path()) != header_)
      throw UsageError{fmt::format("--resume: {} belongs to another sweep; {} says which. Without --resume it is begun anew",
                                   part_path(), resume_path())};
    const auto whole = whole_lines_of(part_path());
    if (whole.lines == 0) return false;
    safe_ = first_ + whole.lines - 1;
    if (whole.lines > 1 && point_of_line(whole.last) != safe_ - 1)
      throw UsageError{fmt::format("--resume: {} was changed: row {} is of point {}. Without --resume it is begun anew",
                                   part_path(), whole.lines - 1, point_of_line(whole.last))};
    open(0);
    if (::ftruncate(file_, static_cast<off_t>(whole.bytes)) != 0 || ::lseek(file_, 0, SEEK_END) < 0) fail();
    return true;
  }

  void put(std::string_view text) {
    while (!text.empty()) {
      const auto written = ::write(file_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail();
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  [[noreturn]] void fail() const {
    const int error = errno;
    if (direct_)
      throw OutputError{
          fmt::format("{} cannot be written: {}", path_ == "-" ? msg("standard output") : path_, std::strerror(error)),
          error == EPIPE};
    throw OutputError{fmt::format("{} cannot be written: {}{}", part_path(), std::strerror(error),
                                  safe_ > first_ ? fmt::format("; its first {} rows are safe, and --resume goes on behind them",
                                                               format_whole(static_cast<double>(safe_ - first_)))
                                                 : ""),
                      false};
  }

  std::string path_;
  std::string header_, head_;
  bool direct_ = false, complete_ = false;
  int file_ = -1;
  std::int64_t first_ = 0, safe_ = 0;  ///< points
};

}  // namespace

std::unique_ptr<SweepOutput> text_output(const std::string& path, SweepFormat format, const JsonValue& header,
                                         const std::vector<std::string>& fields) {
  auto header_line = to_json_text(header, 0) + "\n";
  if (format == SweepFormat::jsonl) return std::make_unique<TextOutput>(path, header_line, header_line);
  std::string head;
  for (const auto& name : sweep_column_names(fields)) head += (head.empty() ? "" : ",") + csv_cell(name);
  return std::make_unique<TextOutput>(path, std::move(header_line), head + "\n");
}

std::unique_ptr<SweepOutput> merged_text_output(const std::string& path, const std::string& head) {
  return std::make_unique<TextOutput>(path, head, head);
}

SweepFormat format_of_path(const std::string& path) {
  // "x.csv", and "x.csv.shard3" too.
  const auto has = [&](std::string_view ending) {
    const auto at = path.rfind(ending);
    return at != path.npos && (at + ending.size() == path.size() || path[at + ending.size()] == '.');
  };
  if (has(".csv")) return SweepFormat::csv;
  if (has(".sqlite") || has(".sqlite3") || has(".db")) return SweepFormat::sqlite;
  return SweepFormat::jsonl;
}

std::int64_t point_of_line(std::string_view line) {
  constexpr std::string_view key = "{\"point\":";
  if (line.starts_with(key)) line.remove_prefix(key.size());
  std::int64_t point = -1;
  const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), point);
  const bool whole = failure == std::errc{} && end != line.data() + line.size() && (*end == ',' || *end == '}');
  return whole && point >= 0 ? point : -1;
}

}  // namespace rigplan
