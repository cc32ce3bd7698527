// SPDX-License-Identifier: Apache-2.0
#include "json/line_finder.h"

#include <nlohmann/json.hpp>

namespace rigplan {
namespace {

using Json = nlohmann::json;

/// Walks over text and counts the lines it has passed.
struct LineCounter {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  const char* at;
  int* line;
  reference operator*() const { return *at; }
  LineCounter& operator++() {
    if (*at == '\n') ++*line;
    ++at;
    return *this;
  }
  LineCounter operator++(int) {
    auto before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineCounter& o) const { return at == o.at; }
  bool operator!=(const LineCounter& o) const { return at != o.at; }
};

/// Follows the path through the document and notes the line whenever it equals the wanted one. Keeps only how much of the
/// wanted path the current one agrees with, so deep nesting costs nothing.
class LineFinder : public nlohmann::json_sax<Json> {
 public:
  LineFinder(const int& line, std::vector<std::string> wanted) : line_{line}, wanted_{std::move(wanted)} {}
  std::vector<int> found;

  bool null() override { return scalar(); }
  bool boolean(bool) override { return scalar(); }
  bool number_integer(number_integer_t) override { return scalar(); }
  bool number_unsigned(number_unsigned_t) override { return scalar(); }
  bool number_float(number_float_t, const string_t&) override { return scalar(); }
  bool string(string_t&) override { return scalar(); }
  bool binary(binary_t&) override { return scalar(); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    step(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  struct Frame {
    bool is_array;
    std::size_t next;
    std::size_t agreed;  ///< how many steps of the wanted path lead to this container
  };
  /// One step down from the innermost container: on the wanted path only if the container is.
  void step(const std::string& name) {
    const auto depth = frames_.size() - 1;
    const bool on_path = frames_.back().agreed == depth && depth < wanted_.size() && wanted_[depth] == name;
    agreed_ = on_path ? depth + 1 : 0;
    if (on_path && agreed_ == wanted_.size()) found.push_back(line_);
  }
  void enter() {
    if (frames_.empty()) {
      if (wanted_.empty()) found.push_back(line_);
    } else if (frames_.back().is_array) {
      step(std::to_string(frames_.back().next++));
    }
  }
  bool scalar() {
    enter();
    return true;
  }
  bool open(bool is_array) {
    enter();
    frames_.push_back({is_array, 0, agreed_ == frames_.size() ? agreed_ : frames_.size() + 1});
    return true;
  }
  bool close() {
    frames_.pop_back();
    return true;
  }

  const int& line_;
  std::vector<std::string> wanted_;
  std::vector<Frame> frames_;
  std::size_t agreed_ = 0;
};

/// "/a/b~1c" -> {"a", "b/c"}
std::vector<std::string> steps_of(const std::string& pointer) {
  std::vector<std::string> steps;
  for (std::size_t at = 0; at < pointer.size(); ++at) {
    if (pointer[at] == '/')
      steps.emplace_back();
    else if (pointer[at] == '~' && at + 1 < pointer.size())
      steps.back() += pointer[++at] == '1' ? '/' : '~';
    else
      steps.back() += pointer[at];
  }
  return steps;
}

}  // namespace

std::vector<int> lines_of_pointer(std::string_view text, const std::string& pointer, bool comments) {
  int line = 1;
  LineFinder finder{line, steps_of(pointer)};
  Json::sax_parse(LineCounter{text.data(), &line}, LineCounter{text.data() + text.size(), &line}, &finder,
                  Json::input_format_t::json, true, comments);
  return finder.found;
}

}  // namespace rigplan
