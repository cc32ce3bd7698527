// SPDX-License-Identifier: Apache-2.0
#include "json/cbor_reader.h"

#include <bit>
#include <cstdint>
#include <stdexcept>

namespace rigplan {
namespace {

/// The kind of a value: the three upper bits of its first byte (RFC 8949, section 3.1).
enum Major : unsigned { positive = 0, negative = 1, text = 3, array = 4, object = 5, other = 7 };

[[noreturn]] void fail() { throw std::logic_error{"the data inside the program is not the CBOR that its build wrote"}; }

class CborReader {
 public:
  explicit CborReader(std::string_view bytes) : rest_{bytes} {}

  JsonValue whole() {
    auto value = read();
    if (!rest_.empty()) fail();
    return value;
  }

 private:
  JsonValue read() {
    const auto head = number(1);
    const auto low = head & 31;
    switch (head >> 5) {
      case positive:
        return static_cast<std::int64_t>(argument(low));
      case negative:
        return -1 - static_cast<std::int64_t>(argument(low));
      case text:
        return std::string{take(argument(low))};
      case array:
        return read_array(argument(low));
      case object:
        return read_object(argument(low));
      case other:
        return read_other(low);
      default:
        fail();
    }
  }

  JsonValue read_array(std::uint64_t count) {
    JsonValue::Array elements;
    elements.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) elements.push_back(read());
    return elements;
  }

  JsonValue read_object(std::uint64_t count) {
    JsonValue::Object members;
    members.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto head = number(1);
      if (head >> 5 != text) fail();
      auto& member = members.emplace_back();
      member.key = take(argument(head & 31));
      member.value = read();
    }
    return members;
  }

  /// false, true, null, and floating point of four or eight bytes.
  JsonValue read_other(std::uint64_t low) {
    if (low == 20 || low == 21) return low == 21;
    if (low == 22) return {};
    if (low == 26) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number(4))));
    if (low == 27) return std::bit_cast<double>(number(8));
    fail();
  }

  /// A length or a whole number: in the first byte itself below 24, else in the 1, 2, 4 or 8 bytes behind it.
  std::uint64_t argument(std::uint64_t low) {
    if (low < 24) return low;
    if (low > 27) fail();
    return number(std::size_t{1} << (low - 24));
  }

  /// Bytes come with the highest first.
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const char c : take(bytes)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }

  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest_.size()) fail();
    const auto taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace

JsonValue read_cbor(std::string_view bytes) { return CborReader{bytes}.whole(); }

}  // namespace rigplan
