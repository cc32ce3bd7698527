// SPDX-License-Identifier: Apache-2.0
#include "validate/memory_note.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace rigplan {
namespace {

/// The text behind `key` up to the next ";".
std::optional<std::string_view> behind(std::string_view note, std::string_view key) {
  const auto at = note.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  auto rest = note.substr(at + key.size());
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  return rest.substr(0, rest.find(';'));
}

/// The number at the start of a text; a comma stands for the decimal point in some logs.
std::optional<double> leading_number(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == ',')
      digits += c == ',' ? '.' : c;
    else
      break;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc{}) return std::nullopt;
  return value;
}

std::optional<double> number(std::string_view note, std::string_view key) {
  const auto text = behind(note, key);
  return text ? leading_number(*text) : std::nullopt;
}

std::optional<int> whole(std::string_view note, std::string_view key) {
  const auto value = number(note, key);
  return value ? std::optional{static_cast<int>(*value)} : std::nullopt;
}

/// "CUDA0=1.5/CUDA1=2": the cards' figures; nothing when the list breaks off at the end of the note.
std::vector<double> per_card(std::string_view note, std::string_view key) {
  std::vector<double> values;
  const auto at = note.find(key);
  if (at == std::string_view::npos) return values;
  const auto rest = note.substr(at + key.size());
  const auto end = rest.find(';');
  if (end == std::string_view::npos) return values;
  const auto list = rest.substr(0, end);
  if (list.empty() || !std::isdigit(static_cast<unsigned char>(list.back()))) return values;
  for (std::size_t i = list.find("CUDA"); i != std::string_view::npos; i = list.find("CUDA", i + 1)) {
    if (i + 4 >= list.size() || !std::isdigit(static_cast<unsigned char>(list[i + 4]))) continue;
    const auto equals = list.find('=', i);
    if (equals == std::string_view::npos) break;
    if (const auto value = leading_number(list.substr(equals + 1))) values.push_back(*value);
  }
  return values;
}

void read_parameters(std::string_view note, MemoryNote& out) {
  const auto text = behind(note, "params ");
  if (!text) return;
  const auto value = leading_number(*text);
  if (!value) return;
  const auto space = text->find(' ');
  const auto figure = text->substr(0, space);
  const auto point = figure.find_first_of(".,");
  out.parameter_digits = point == std::string_view::npos ? 0 : static_cast<int>(figure.size() - point - 1);
  const bool trillions = space != std::string_view::npos && text->substr(space + 1).starts_with("T");
  out.parameters = *value * (trillions ? 1e12 : 1e9);
}

void read_latent(std::string_view note, MemoryNote& out) {
  if (note.find("MLA expanded heads") != std::string_view::npos) out.latent = LatentStorage::expanded;
  if (note.find("MLA: latent cache") != std::string_view::npos) out.latent = LatentStorage::compressed;
  // One head as wide as rank and rope part: the mainline's latent cache, which keeps the rank again as values. The fork's mode 1
  // does the same; its modes 2 and 3 keep one copy.
  if (out.kv_heads == 1 && out.head_size.value_or(0) >= 512) out.latent = LatentStorage::compressed_with_values;
  if (out.latent_mode == 1) out.latent = LatentStorage::compressed_with_values;
  if (!out.latent && out.latent_mode.value_or(0) >= 2) out.latent = LatentStorage::compressed;
}

}  // namespace

MemoryNote read_memory_note(std::string_view note) {
  MemoryNote out;
  out.context = number(note, "n_ctx ");
  out.micro_batch = number(note, "ubatch ");
  if (const auto flash = number(note, "flash_attn ")) out.flash_attention = *flash != 0;
  out.layers = whole(note, "layers ");
  out.heads = whole(note, " heads ");
  out.kv_heads = whole(note, " kv ");
  out.head_size = whole(note, " dim ");
  out.experts = whole(note, "experts ");
  read_parameters(note, out);
  if (const auto size = behind(note, "file size ")) {
    if (const auto value = leading_number(*size)) out.file = *value * (size->find("MiB") < 12 ? units::MiB : units::GiB);
  }
  out.latent_mode = whole(note, "mla mode ");
  read_latent(note, out);
  out.scratch_once = note.find("2023 build") != std::string_view::npos;
  out.utilisation = number(note, "utilisation ");
  out.pool_tokens = number(note, "kv tokens ");
  out.full_windows = note.find("B/token (") != std::string_view::npos;
  out.card_weights = per_card(note, "per GPU weights ");
  out.card_caches = per_card(note, "; KV ");
  out.host_cache = note.find("CUDA_Host=") != std::string_view::npos || note.find("KV CPU=") != std::string_view::npos;
  return out;
}

}  // namespace rigplan
