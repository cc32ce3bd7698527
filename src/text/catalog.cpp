// SPDX-License-Identifier: Apache-2.0
#include "rigplan/text/catalog.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <stdexcept>
#include <utility>

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

/// How much a pattern says by itself; a sign beyond ASCII, such as ×, counts by its bytes.
std::size_t letters_in(const MessagePattern& pattern) {
  std::size_t letters = 0;
  for (const auto& literal : pattern.literals)
    letters += literal.size() - static_cast<std::size_t>(std::count(literal.begin(), literal.end(), ' '));
  return letters;
}

/// A message of few letters, such as "{} of {}", is read only out of words and figures that stand alone.
constexpr std::size_t few_letters = 6;
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

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Numbers are one word; a message that is one clause is not filled with several unless they stand in parentheses, nor does it
/// begin before its own first clause.
bool can_fill(std::string_view value, const MessagePattern& pattern, std::size_t slot, bool alone) {
  const auto& spec = pattern.slots[slot].spec;
  if (spec.ends_with('f') || spec.ends_with('g') || (alone && std::any_of(value.begin(), value.end(), is_letter)))
    if (contains(value, " ")) return false;
  if (pattern.literals[slot].ends_with('(') && pattern.literals[slot + 1].starts_with(')')) return true;
  if (slot == 0 && pattern.literals.front().empty() && (contains(value, ": ") || contains(value, ", "))) return false;
  const auto has_clauses = [](const std::string& literal) { return contains(literal, "; "); };
  return !contains(value, "; ") || std::any_of(pattern.literals.begin(), pattern.literals.end(), has_clauses);
}

/// "price, decode, wall_watts": ids and keys, which are the same in every language.
bool is_list_of_words(std::string_view text) {
  if (!contains(text, ", ")) return false;
  for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1))
    if (at == 0 || text[at - 1] != ',') return false;
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
    if (end == std::string_view::npos || !can_fill(text.substr(0, end), pattern, i, alone)) return {};
    values.push_back(text.substr(0, end));
    text.remove_prefix(last ? end : end + literals[i + 1].size());
  }
  return values;
}

std::string_view without_end(std::string_view text, std::string_view end) {
  return text.ends_with(end) ? text.substr(0, text.size() - end.size()) : text;
}

/// The first mark from `at` on, and where it stands; the end of the text where there is none.
std::pair<std::size_t, const Mark*> next_mark(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at)
    for (const auto& mark : marks)
      if (text.substr(at).starts_with(mark.english)) return {at, &mark};
  return {text.size(), nullptr};
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
    // "; it does not fit" is a clause, which is read without its mark; "{}: it fails" is one about something named before.
    for (const auto& mark : marks) {
      if (message.starts_with(mark.english))
        messages_.emplace(without(message, mark.english), without(without(other, mark.other), mark.english));
      if (message.ends_with(mark.english))
        messages_.emplace(without_end(message, mark.english), without_end(without_end(other, mark.other), mark.english));
    }
    const bool in_order = std::none_of(other.begin(), other.end(), [&, last = '\0'](char c) mutable {
      return std::isdigit(static_cast<unsigned char>(std::exchange(last, c) == '{' ? c : 'x')) != 0;
    });
    if (!in_order) continue;
    for (const auto& [named, other_named] : {Mark{"{}: ", "{}："}, Mark{"\"{}\": ", "“{}”："}, Mark{"{}; ", "{}；"}})
      if (message.starts_with(named) && other.starts_with(other_named))
        messages_.emplace(without(message, named), without(other, other_named));
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

/// The longest beginning that is known up to some mark, then the rest; where no beginning is known, its first clause stays as it
/// is.
std::string MessageCatalog::clauses(std::string_view text, int depth) const {
  struct Clause {
    std::string text;
    bool is_known;
    const Mark* mark;  ///< behind it
  };
  std::vector<Clause> read;
  while (!text.empty()) {
    if (is_list_of_words(text)) {
      read.push_back({std::string{text}, false, nullptr});
      break;
    }
    std::vector<std::pair<std::size_t, const Mark*>> ends;
    for (auto end = next_mark(text, 0);; end = next_mark(text, end.first + 1)) {
      ends.push_back(end);
      if (!end.second) break;
    }
    std::optional<std::string> other;
    auto end = ends.rbegin();
    while (!(other = known(text.substr(0, end->first), depth)) && end + 1 != ends.rend()) ++end;
    const auto clause = text.substr(0, end->first);
    read.push_back({other ? *other : std::string{clause}, other && *other != clause, end->second});
    text.remove_prefix(end->first + (end->second ? end->second->english.size() : 0));
  }
  // Marks are those of the language once something is known; but a colon may stand behind the name of a file.
  const bool any = std::any_of(read.begin(), read.end(), [](const Clause& clause) { return clause.is_known; });
  std::string all;
  for (const auto& clause : read) {
    all += clause.text;
    if (clause.mark) all += (clause.mark->english == ": " ? clause.is_known : any) ? clause.mark->other : clause.mark->english;
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
  return whole ? *whole : clauses(text, depth);
}

}  // namespace rigplan
