// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/csv.h"

#include "rigplan/json/data_error.h"

namespace rigplan {
namespace {

/// Reads one record after another. The packaged CSV libraries were left aside because none tells the line on which a record
/// with line breaks inside quotes starts.
class Reader {
 public:
  Reader(const std::string& file, std::string_view text) : file_{file}, text_{text} {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  bool next(CsvRecord& record) {
    while (at_ < text_.size() && line_end()) {
    }
    if (at_ >= text_.size()) return false;
    record = {{}, line_};
    do record.fields.push_back(field());
    while (comma());
    if (at_ < text_.size() && !line_end()) fail("has text behind a closing quote; expected a comma");
    return true;
  }

 private:
  std::string field() { return at_ < text_.size() && text_[at_] == '"' ? quoted() : plain(); }

  std::string plain() {
    const auto start = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') {
      if (text_[at_] == '"') fail("has a quote inside a field; expected the whole field in quotes and inner quotes doubled");
      ++at_;
    }
    return std::string{text_.substr(start, at_ - start)};
  }

  std::string quoted() {
    const int opened = line_;
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') {
          ++at_;
          return value;
        }
        ++at_;
      }
      if (text_[at_] == '\n') ++line_;
      value += text_[at_];
    }
    line_ = opened;
    fail("opens a quote that is never closed");
  }

  bool comma() {
    if (at_ >= text_.size() || text_[at_] != ',') return false;
    ++at_;
    return true;
  }

  bool line_end() {
    if (text_[at_] == '\r') {
      ++at_;
      if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    } else if (text_[at_] == '\n') {
      ++at_;
    } else {
      return false;
    }
    ++line_;
    return true;
  }

  [[noreturn]] void fail(const char* message) const { throw DataError{{file_, line_, ""}, message}; }

  const std::string& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<CsvRecord> parse_csv(const std::string& file, std::string_view text) {
  std::vector<CsvRecord> records;
  Reader reader{file, text};
  for (CsvRecord record; reader.next(record);) records.push_back(std::move(record));
  return records;
}

}  // namespace rigplan
