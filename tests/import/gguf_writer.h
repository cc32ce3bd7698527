// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace rigplan::test {

/// Writes GGUF heads byte by byte, as the format's description has them.
struct Writer {
  int version = 3;
  std::string bytes;

  template <class T>
  void number(T value) {
    const auto at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  void count(std::uint64_t n) {
    if (version == 1)
      number(static_cast<std::uint32_t>(n));
    else
      number(n);
  }
  void text(const std::string& value) {
    count(value.size());
    bytes += value;
  }
  void head(std::uint64_t tensors, std::uint64_t values) {
    bytes += "GGUF";
    number(static_cast<std::uint32_t>(version));
    count(tensors);
    count(values);
  }
  void value(const std::string& key, std::uint32_t n) {
    text(key);
    number(std::uint32_t{4});
    number(n);
  }
  void value(const std::string& key, const std::string& words) {
    text(key);
    number(std::uint32_t{8});
    text(words);
  }
  void values(const std::string& key, const std::vector<std::int32_t>& numbers) {
    text(key);
    number(std::uint32_t{9});
    number(std::uint32_t{5});
    count(numbers.size());
    for (const auto n : numbers) number(n);
  }
  void tensor(const std::string& name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type, std::uint64_t offset) {
    text(name);
    number(static_cast<std::uint32_t>(dimensions.size()));
    for (const auto n : dimensions) count(n);
    number(type);
    number(offset);
  }
};

/// A model of two layers: 256 wide, 4 heads, 2 KV heads of 64, feed-forward 512 in Q4_K, embedding of 100 in Q6_K, tied.
inline Writer small(int version = 3, bool with_width = true, bool with_kv = true) {
  Writer out{version, ""};
  out.head(1 + 2 * 8, 5 + (with_width ? 1 : 0) + (with_kv ? 1 : 0));
  out.value("general.architecture", "llama");
  out.value("llama.block_count", 2);
  out.value("llama.embedding_length", 256);
  out.value("llama.attention.head_count", 4);
  out.value("llama.context_length", 4096);
  if (with_kv) out.value("llama.attention.head_count_kv", 2);
  if (with_width) out.value("llama.feed_forward_length", 512);
  out.tensor("token_embd.weight", {256, 100}, 14, 0);
  for (const std::string layer : {"blk.0.", "blk.1."}) {
    out.tensor(layer + "attn_norm.weight", {256}, 0, 0);
    out.tensor(layer + "attn_q.weight", {256, 256}, 12, 0);
    out.tensor(layer + "attn_k.weight", {256, 128}, 12, 0);
    out.tensor(layer + "attn_v.weight", {256, 128}, 14, 0);
    out.tensor(layer + "attn_output.weight", {256, 256}, 12, 0);
    out.tensor(layer + "ffn_gate.weight", {256, 512}, 12, 0);
    out.tensor(layer + "ffn_up.weight", {256, 512}, 12, 0);
    out.tensor(layer + "ffn_down.weight", {512, 256}, 12, 0);
  }
  return out;
}

/// The head and as many bytes of data as its tensors need, and more.
inline std::string whole_file(const Writer& head) { return head.bytes + std::string(1 << 18, '\0'); }

}  // namespace rigplan::test
