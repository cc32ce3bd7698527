// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

/// A message cut at its placeholders: "{} of {:.1f} GiB" has the literals "", " of ", " GiB" and two slots.
struct MessagePattern {
  struct Slot {
    std::size_t argument = 0;  ///< counted from 0
    std::string spec;          ///< ".1f"
  };
  std::vector<std::string> literals;  ///< one more than slots; doubled braces are single here
  std::vector<Slot> slots;
};
MessagePattern message_pattern(std::string_view text);

/// The translations of one language.
///
/// gettext's own reader, libintl, wants a file for each language below a folder known when the program was built, and a locale of
/// that language made on the machine. A single program without installation has neither, so the compiled catalog (.mo) is part of
/// the program and is read here; translators and their tools see usual .po files.
class MessageCatalog {
 public:
  /// @param mo the bytes of a .mo file, which stay where they are
  explicit MessageCatalog(std::string_view mo);

  /// The translation of exactly this message; nullptr where there is none.
  const std::string_view* find(std::string_view message) const;

  /// The translation of a text made elsewhere: of the whole as a message, else as a message with figures and names filled in,
  /// else of its clauses one by one. What is not known stays as it is, as does what stands in quotation marks.
  ///
  /// Layers of formulas and readers state facts in English, which JSON prints as they are; who shows one to a person passes it
  /// through here. Answers that come back from a JSON file can be read in no other way.
  std::string translate(std::string_view text) const { return translate(text, 0); }

  const std::map<std::string_view, std::string_view>& messages() const { return messages_; }

 private:
  struct Entry {
    MessagePattern english, other;
    std::size_t letters = 0;  ///< of the literals
  };
  struct Reading {
    const Entry* entry = nullptr;
    std::vector<std::string_view> values;  ///< by argument
  };
  std::string translate(std::string_view text, int depth) const;
  Reading read(std::string_view text) const;
  std::string filled(const Reading& reading, int depth) const;
  std::string clauses(std::string_view text, int depth) const;
  std::optional<std::string> known(std::string_view text, int depth) const;
  const std::vector<Entry>& entries() const;

  std::map<std::string_view, std::string_view> messages_;
  mutable std::vector<Entry>
      entries_;  ///< of messages with placeholders, those with most letters first; made when first asked for
};

}  // namespace rigplan
