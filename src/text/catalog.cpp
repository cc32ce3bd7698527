// SPDX-License-Identifier: Apache-2.0
#include "rigplan/text/catalog.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <stdexcept>

namespace rigplan {
namespace {

/// A number of four bytes, the lowest first.
std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  if (at + 4 > bytes.size()) throw std::logic_error{"the built-in translations are cut short"};
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

std::string_view text_at(std::string_view bytes, std::size_t entry) {
  return bytes.substr(number_at(bytes, entry + 4), number_at(bytes, entry));
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::size_t letters_in(const MessagePattern& pattern) {
  std::size_t letters = 0;
  for (const auto& literal : pattern.literals)
    letters += static_cast<std::size_t>(std::count_if(literal.begin(), literal.end(), is_letter));
  return letters;
}

/// A message of few letters, such as "{} of {}", is read only out of words and figures that stand alone.
constexpr std::size_t few_letters = 8;
/// Texts within texts.
constexpr int deepest = 5;

/// What stands between clauses, the strongest first.
struct Mark {
  std::string_view english, other;
};
constexpr Mark marks[] = {{"; ", "；"}, {" · ", " · "}, {": ", "："}, {", ", "，"}};

std::string_view without(std::string_view text, std::string_view beginning) {
  return text.starts_with(beginning) ? text.substr(beginning.size()) : text;
}

bool can_fill(std::string_view value, const MessagePattern::Slot& slot, bool alone) {
  const bool number = slot.spec.ends_with('f') || slot.spec.ends_with('g');
  if (number || alone) return value.find(' ') == std::string_view::npos;
  return true;
}

/// The values that make `text` out of the pattern, by slot; empty when there are none.
std::vector<std::string_view> values_in(std::string_view text, const MessagePattern& pattern, bool alone) {
  const auto& literals = pattern.literals;
  if (!text.starts_with(literals.front())) return {};
  text.remove_prefix(literals.front().size());
  if (!text.ends_with(literals.back())) return {};
  text.remove_suffix(literals.back().size());
  std::vector<std::string_view> values;
  for (std::size_t i = 0; i < pattern.slots.size(); ++i) {
    const bool last = i + 1 == pattern.slots.size();
    const auto end = last ? text.size() : text.find(literals[i + 1]);
    if (end == std::string_view::npos || !can_fill(text.substr(0, end), pattern.slots[i], alone)) return {};
    values.push_back(text.substr(0, end));
    text.remove_prefix(last ? end : end + literals[i + 1].size());
  }
  return values;
}

}  // namespace

MessagePattern message_pattern(std::string_view text) {
  MessagePattern pattern;
  pattern.literals.emplace_back();
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool brace = text[at] == '{' || text[at] == '}';
    const bool doubled = brace && at + 1 < text.size() && text[at + 1] == text[at];
    if (!brace || doubled) {
      pattern.literals.back() += text[at];
      at += doubled ? 1 : 0;
      continue;
    }
    const auto close = text.find('}', at);
    const auto inside = text.substr(at + 1, close - at - 1);
    const auto colon = std::min(inside.find(':'), inside.size());
    const auto index = inside.substr(0, colon);
    const auto argument = index.empty() ? pattern.slots.size() : static_cast<std::size_t>(index.front() - '0');
    pattern.slots.push_back({argument, std::string{inside.substr(std::min(colon + 1, inside.size()))}});
    pattern.literals.emplace_back();
    at = close == std::string_view::npos ? text.size() : close;
  }
  return pattern;
}

MessageCatalog::MessageCatalog(std::string_view mo) {
  constexpr std::uint32_t magic = 0x950412de;
  if (number_at(mo, 0) != magic) throw std::logic_error{"the built-in translations are no .mo file"};
  const std::size_t count = number_at(mo, 8), originals = number_at(mo, 12), translations = number_at(mo, 16);
  for (std::size_t i = 0; i < count; ++i) {
    const auto message = text_at(mo, originals + 8 * i), other = text_at(mo, translations + 8 * i);
    if (message.empty()) continue;
    messages_.emplace(message, other);
    // "; it does not fit" is a clause, which is read without its mark.
    for (const auto& mark : marks)
      if (message.starts_with(mark.english))
        messages_.emplace(without(message, mark.english), without(without(other, mark.other), mark.english));
  }
}

const std::string_view* MessageCatalog::find(std::string_view message) const {
  const auto found = messages_.find(message);
  return found == messages_.end() ? nullptr : &found->second;
}

const std::vector<MessageCatalog::Entry>& MessageCatalog::entries() const {
  if (!entries_.empty()) return entries_;
  for (const auto& [english, other] : messages_) {
    Entry entry{message_pattern(english), message_pattern(other), 0};
    entry.letters = letters_in(entry.english);
    if (!entry.english.slots.empty() && entry.letters > 1) entries_.push_back(std::move(entry));
  }
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.letters > b.letters; });
  return entries_;
}

MessageCatalog::Reading MessageCatalog::read(std::string_view text) const {
  for (const auto& entry : entries()) {
    const auto values = values_in(text, entry.english, entry.letters < few_letters);
    if (values.empty()) continue;
    Reading reading{&entry, std::vector<std::string_view>(values.size())};
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const auto argument = entry.english.slots[i].argument; argument < values.size()) reading.values[argument] = values[i];
    return reading;
  }
  return {};
}

std::string MessageCatalog::filled(const Reading& reading, int depth) const {
  const auto& pattern = reading.entry->other;
  auto text = pattern.literals.front();
  for (std::size_t i = 0; i < pattern.slots.size(); ++i) {
    const auto argument = pattern.slots[i].argument;
    const auto value = argument < reading.values.size() ? reading.values[argument] : std::string_view{};
    const bool quoted = text.ends_with('"') || text.ends_with("“");  // someone's own words
    text += quoted ? std::string{value} : translate(value, depth + 1);
    text += pattern.literals[i + 1];
  }
  return text;
}

/// A text whose end, behind some mark, is known as a whole; nothing when there is no such end.
std::optional<std::string> MessageCatalog::known_end(std::string_view text, int depth) const {
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const auto& mark : marks) {
      if (!text.substr(at).starts_with(mark.english)) continue;
      const auto first = text.substr(0, at), rest = text.substr(at + mark.english.size());
      const auto end = rest.find(mark.english) == std::string_view::npos && rest.find("; ") == std::string_view::npos
                           ? std::nullopt
                           : known(rest, depth + 1);
      if (!end || *end == rest) continue;
      const auto beginning = translate(first, depth + 1);
      return beginning + std::string{beginning == first ? mark.english : mark.other} + *end;
    }
  return std::nullopt;
}

/// Clauses between the marks of `level`, or of a later one, one by one. Where none is known, marks stay English too; so does a colon
/// behind a clause that is not known, which may be the name of a file.
std::string MessageCatalog::clauses(std::string_view text, std::size_t level, int depth) const {
  while (level < std::size(marks) && text.find(marks[level].english) == std::string_view::npos) ++level;
  if (level == std::size(marks)) return std::string{text};
  if (auto end = known_end(text, depth)) return *end;
  const auto& mark = marks[level];
  struct Clause {
    std::string other;
    bool is_known;
  };
  std::vector<Clause> read;
  for (std::size_t end = 0; end != std::string_view::npos; text = without(text.substr(std::min(end, text.size())), mark.english)) {
    end = text.find(mark.english);
    const auto clause = text.substr(0, end);
    auto other = known(clause, depth);
    if (!other) other = clauses(clause, level + 1, depth);
    read.push_back({*other, *other != clause});
  }
  const bool any = std::any_of(read.begin(), read.end(), [](const Clause& clause) { return clause.is_known; });
  std::string all;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (i > 0) all += (mark.english == ": " ? read[i - 1].is_known : any) ? mark.other : mark.english;
    all += read[i].other;
  }
  return all;
}

std::optional<std::string> MessageCatalog::known(std::string_view text, int depth) const {
  if (const auto* whole = find(text)) return std::string{*whole};
  if (depth > deepest) return std::nullopt;
  if (std::none_of(text.begin(), text.end(), is_letter)) return std::string{text};
  if (const auto reading = read(text); reading.entry) return filled(reading, depth);
  return std::nullopt;
}

std::string MessageCatalog::translate(std::string_view text, int depth) const {
  if (depth > deepest) return std::string{text};
  const auto whole = known(text, depth);
  return whole ? *whole : clauses(text, 0, depth);
}

}  // namespace rigplan
