// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rigplan/json/data_error.h"
#include "rigplan/json/embedded_data.h"
#include "rigplan/json/value.h"

namespace rigplan {

/// The first "schema" of a JSON text, found without reading the text; empty when there is none.
std::string_view schema_of(std::string_view text);

/// How strict a JSON text is read. The catalog is strict; files that people write may carry // and /* */ comments.
enum class JsonComments { refused, allowed };

/// A JSON text that was read, with its name. Knows the line and the pointer of every value in it, so that an error can name
/// them; lines are only counted when an error is reported.
class JsonFile {
 public:
  /// @throws DataError for text that is not JSON, a key that stands twice in one object (with both lines), nesting deeper than
  /// 64 levels, numbers out of range, text that is not UTF-8. A UTF-8 byte order mark is skipped.
  static JsonFile parse(std::string name, std::string text, JsonComments comments = JsonComments::refused);
  /// A file inside the program, read from its CBOR, which was made of the text when the program was built.
  static JsonFile read(const EmbeddedFile& file);

  const std::string& name() const { return name_; }
  std::string_view text() const { return embedded_.empty() ? std::string_view{text_} : embedded_; }
  const JsonValue& root() const { return *root_; }
  JsonValue& root() { return *root_; }

  /// File, line and pointer of a value of this file.
  Place place_of(const JsonValue& value) const;
  /// The line on which the value that `pointer` names starts, or 0.
  int line_of(const std::string& pointer) const;

 private:
  std::string name_, text_;
  std::string_view embedded_;  ///< the text of a file inside the program
  JsonComments comments_ = JsonComments::refused;
  std::unique_ptr<JsonValue> root_;  ///< on the heap, so that cursors outlive a move of the file
};

}  // namespace rigplan
