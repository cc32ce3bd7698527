// SPDX-License-Identifier: Apache-2.0
// The file format: docs/gguf.md of the ggml project. Version 1 has 32-bit counts and lengths, later ones 64-bit.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "import/gguf_types.h"

#include <fmt/format.h>
#include "rigplan/import/gguf.h"
#include "rigplan/json/data_error.h"

namespace rigplan {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand in the file");

/// The prefix ends before what was asked for.
struct TooShort {
  std::uint64_t at_least;
};

enum ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64, value_types };
constexpr std::uint64_t value_sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr std::uint64_t numbers_kept = 1 << 16;  ///< of an array; per-layer arrays are far shorter

class Reader {
 public:
  Reader(const std::string& name, std::string_view bytes, std::uint64_t file_size)
      : name_{name}, bytes_{bytes}, size_{file_size} {}

  [[noreturn]] void fail(const std::string& message) const { throw DataError{{name_, 0, ""}, message}; }

  template <class T>
  T number() {
    need(sizeof(T));
    T value{};
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::uint64_t count() { return version == 1 ? number<std::uint32_t>() : number<std::uint64_t>(); }
  /// A count of things that take at least `each` bytes.
  std::uint64_t bounded(const char* what, std::uint64_t each) {
    const auto n = count();
    if (n > (size_ - at_) / std::max<std::uint64_t>(1, each)) {
      fail(fmt::format("states {} {}, more than its {} bytes can hold", n, what, size_));
    }
    return n;
  }
  std::string text(const char* what) {
    const auto length = bounded(what, 1);
    need(length);
    std::string value{bytes_.substr(static_cast<std::size_t>(at_), static_cast<std::size_t>(length))};
    at_ += length;
    return value;
  }
  void skip(std::uint64_t n) {
    need(n);
    at_ += n;
  }
  std::uint64_t at() const { return at_; }
  std::uint64_t size() const { return size_; }
  int version = 0;

 private:
  void need(std::uint64_t n) const {
    if (n > size_ - at_) fail("ends in the middle of its head");
    if (n > bytes_.size() - at_) throw TooShort{at_ + n};
  }

  const std::string& name_;
  std::string_view bytes_;
  std::uint64_t size_, at_ = 0;
};

double read_number(Reader& in, std::uint32_t type) {
  switch (type) {
    case u8:
      return in.number<std::uint8_t>();
    case i8:
      return in.number<std::int8_t>();
    case u16:
      return in.number<std::uint16_t>();
    case i16:
      return in.number<std::int16_t>();
    case u32:
      return in.number<std::uint32_t>();
    case i32:
      return in.number<std::int32_t>();
    case f32:
      return static_cast<double>(in.number<float>());
    case boolean:
      return in.number<std::uint8_t>();
    case u64:
      return static_cast<double>(in.number<std::uint64_t>());
    case i64:
      return static_cast<double>(in.number<std::int64_t>());
    case f64:
      return in.number<double>();
    default:
      in.fail(fmt::format("has a value of unknown type {}", type));
  }
}

GgufValue read_array(Reader& in) {
  const auto type = in.number<std::uint32_t>();
  if (type >= value_types || type == array) in.fail(fmt::format("has an array of unknown type {}", type));
  const std::uint64_t each = type == string ? (in.version == 1 ? 4 : 8) : value_sizes[type];
  GgufValue out;
  out.length = in.bounded("array values", each);
  if (type == string) {
    for (std::uint64_t i = 0; i < out.length; ++i) in.skip(in.bounded("characters", 1));
    out.value = std::vector<double>{};
    return out;
  }
  std::vector<double> numbers;
  const auto kept = std::min(out.length, numbers_kept);
  for (std::uint64_t i = 0; i < kept; ++i) numbers.push_back(read_number(in, type));
  in.skip((out.length - kept) * each);
  out.value = std::move(numbers);
  return out;
}

GgufValue read_value(Reader& in) {
  const auto type = in.number<std::uint32_t>();
  if (type == string) return {in.text("characters"), 0};
  if (type == array) return read_array(in);
  if (type == boolean) return {in.number<std::uint8_t>() != 0, 0};
  return {read_number(in, type), 0};
}

/// @param end end of the tensor's data relative to the data section, for the check against the file's size
GgufTensor read_tensor(Reader& in, std::uint64_t& end) {
  GgufTensor tensor;
  tensor.name = in.text("characters of a tensor's name");
  const auto axes = in.number<std::uint32_t>();
  if (axes > 4) in.fail(fmt::format("tensor \"{}\" states {} dimensions; expected at most 4", tensor.name, axes));
  std::uint64_t values = 1;
  for (std::uint32_t i = 0; i < axes; ++i) {
    const auto n = in.count();
    if (n == 0 || values > std::numeric_limits<std::uint64_t>::max() / 16 / n) {
      in.fail(fmt::format("tensor \"{}\" has impossible dimensions", tensor.name));
    }
    values *= n;
    tensor.dimensions.push_back(n);
  }
  const auto id = in.number<std::uint32_t>();
  const auto* type = find_gguf_type(id);
  if (!type) in.fail(fmt::format("tensor \"{}\" has the unknown type {}", tensor.name, id));
  const std::uint64_t row = tensor.dimensions.empty() ? 1 : tensor.dimensions.front();
  const auto block = static_cast<std::uint64_t>(type->block), block_bytes = static_cast<std::uint64_t>(type->block_bytes);
  if (row % block != 0) {
    in.fail(fmt::format("tensor \"{}\" has rows of {} values, no multiple of {}", tensor.name, row, block));
  }
  const std::uint64_t bytes = values / block * block_bytes + values / row * static_cast<std::uint64_t>(type->row_bytes);
  const auto offset = in.number<std::uint64_t>();
  if (offset > in.size() || bytes > in.size() - offset) {
    in.fail(
        fmt::format("tensor \"{}\" of {} bytes at {} lies outside the file of {} bytes", tensor.name, bytes, offset, in.size()));
  }
  end = std::max(end, offset + bytes);
  tensor.format = type->name;
  tensor.bytes = Bytes{static_cast<double>(bytes)};
  return tensor;
}

GgufFile read(const std::string& name, Reader& in) {
  GgufFile file;
  file.name = name;
  if (in.number<std::uint32_t>() != 0x46554747) in.fail("is no GGUF file: it does not start with GGUF");
  const auto version = in.number<std::uint32_t>();
  if (version > 0xffff) in.fail("is a big-endian GGUF file; only little-endian ones are read");
  if (version < 1 || version > 3) in.fail(fmt::format("has GGUF version {}; expected 1, 2 or 3", version));
  file.version = in.version = static_cast<int>(version);
  const std::uint64_t word = version == 1 ? 4 : 8;
  // A tensor takes at least a name's length, the number of dimensions, a type and an offset; a value a key's length and a type.
  const auto tensors = in.bounded("tensors", word + 4 + 4 + 8);
  const auto values = in.bounded("metadata values", word + 4 + 1);
  for (std::uint64_t i = 0; i < values; ++i) {
    auto key = in.text("characters of a key");
    file.metadata.insert_or_assign(std::move(key), read_value(in));
  }
  std::uint64_t end = 0;
  for (std::uint64_t i = 0; i < tensors; ++i) file.tensors.push_back(read_tensor(in, end));
  const auto alignment = static_cast<std::uint64_t>(std::clamp(file.number("general.alignment").value_or(32), 1.0, 1048576.0));
  const auto data = (in.at() + alignment - 1) / alignment * alignment;
  if (!file.tensors.empty() && (data > in.size() || end > in.size() - data)) {
    in.fail(fmt::format("is cut off: its tensors need {} bytes, it has {}", data + end, in.size()));
  }
  return file;
}

}  // namespace

std::optional<double> GgufFile::number(std::string_view key) const {
  const auto at = metadata.find(key);
  if (at == metadata.end()) return std::nullopt;
  const auto* value = std::get_if<double>(&at->second.value);
  return value ? std::optional{*value} : std::nullopt;
}

std::string GgufFile::text(std::string_view key) const {
  const auto at = metadata.find(key);
  const auto* value = at == metadata.end() ? nullptr : std::get_if<std::string>(&at->second.value);
  return value ? *value : "";
}

Bytes GgufFile::tensor_bytes() const {
  Bytes sum;
  for (const auto& tensor : tensors) sum += tensor.bytes;
  return sum;
}

std::variant<GgufFile, GgufNeedsMore> read_gguf_head(const std::string& name, std::string_view bytes, std::uint64_t file_size) {
  Reader in{name, bytes, file_size};
  try {
    return read(name, in);
  } catch (const TooShort& more) {
    return GgufNeedsMore{more.at_least};
  }
}

}  // namespace rigplan
