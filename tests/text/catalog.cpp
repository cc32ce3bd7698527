// SPDX-License-Identifier: Apache-2.0
#include "rigplan/text/catalog.h"

#include <catch2/catch.hpp>

#include "rigplan/text/language.h"
#include "text/embedded_messages.h"
#include "text/tr.h"

using namespace rigplan;

namespace {

std::string four_bytes(std::size_t number) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  return bytes;
}

/// A .mo file: its head, two tables of length and place, the texts.
std::string mo_of(const std::vector<std::pair<std::string, std::string>>& messages) {
  const auto count = messages.size();
  const std::size_t head = 28;
  std::string tables, texts;
  const auto add = [&](const std::string& text) {
    tables += four_bytes(text.size()) + four_bytes(head + 16 * count + texts.size());
    texts += text + '\0';
  };
  for (const auto& message : messages) add(message.first);
  for (const auto& message : messages) add(message.second);
  return four_bytes(0x950412de) + four_bytes(0) + four_bytes(count) + four_bytes(head) + four_bytes(head + 8 * count) +
         four_bytes(0) + four_bytes(0) + tables + texts;
}

/// Some messages, with German for Chinese, so that one sees what is translated.
std::string translated(std::string_view text) {
  static const auto bytes = mo_of({{"one card", "eine Karte"},
                                   {"tensor parallel {}", "tensorparallel {}"},
                                   {"{} of {} cards have a fan", "{1} Karten, {0} davon mit Lüfter"},
                                   {"{} circuit{} in the wall", "{0} Stromkreise in der Wand"},
                                   {"no card \"{}\"", "keine Karte “{}”"},
                                   {"cannot be read: {}", "nicht lesbar: {}"},
                                   {"; it does not fit", "; passt nicht"},
                                   {"What to rank by: ", "Gereiht nach: "},
                                   {"{}: the driver refuses", "{}: der Treiber weigert sich"},
                                   {"price", "Preis"},
                                   {"{} yuan", "{} Yuan"}});
  static const MessageCatalog catalog{bytes};
  return catalog.translate(text);
}

}  // namespace

TEST_CASE("a message is cut at its placeholders, and doubled braces are braces") {
  const auto pattern = message_pattern("{} of {:.1f} GiB in {{}}");
  CHECK(pattern.literals == std::vector<std::string>{"", " of ", " GiB in {}"});
  REQUIRE(pattern.slots.size() == 2);
  CHECK(pattern.slots[1].argument == 1);
  CHECK(pattern.slots[1].spec == ".1f");
  const auto numbered = message_pattern("{1} und {0:g}");
  CHECK(numbered.slots[0].argument == 1);
  CHECK(numbered.slots[1].argument == 0);
}

TEST_CASE("a text is translated as a whole, or as a message with figures filled in") {
  CHECK(translated("one card") == "eine Karte");
  CHECK(translated("tensor parallel 4") == "tensorparallel 4");
  CHECK(translated("2 of 8 cards have a fan") == "8 Karten, 2 davon mit Lüfter");
  CHECK(translated("nobody translated this") == "nobody translated this");
  CHECK(translated("") == "");
}

TEST_CASE("the ending of a plural is a placeholder that a translation leaves out") {
  CHECK(translated("1 circuit in the wall") == "1 Stromkreise in der Wand");
  CHECK(translated("3 circuits in the wall") == "3 Stromkreise in der Wand");
}

TEST_CASE("what is filled in is translated too, unless it is quoted or a list of keys") {
  CHECK(translated("cannot be read: one card") == "nicht lesbar: eine Karte");
  CHECK(translated("no card \"price\"") == "keine Karte “price”");
  CHECK(translated("What to rank by: price, decode, wall_watts") == "Gereiht nach：price, decode, wall_watts");
  CHECK(translated("38 [34–43] yuan") == "38 [34–43] Yuan");
  CHECK(translated("a few yuan") == "a few yuan");  // so short a message is not read out of words
}

TEST_CASE("clauses are translated one by one, and the name of a file before them stays") {
  CHECK(translated("rig.json:7: no card \"x\"; it does not fit") == "rig.json:7: keine Karte “x”；passt nicht");
  CHECK(translated("GPU0: the driver refuses") == "GPU0: der Treiber weigert sich");
  CHECK(translated("2 × Foo, one card") == "2 × Foo，eine Karte");
  CHECK(translated("2 × Foo, Bar 4U") == "2 × Foo, Bar 4U");
}

TEST_CASE("languages are named as locales are") {
  CHECK(language_named("zh") == Language::chinese);
  CHECK(language_named("zh_CN.UTF-8") == Language::chinese);
  CHECK(language_named("zh-Hans") == Language::chinese);
  CHECK(language_named("en_GB.UTF-8") == Language::english);
  CHECK_FALSE(language_named("C"));
  CHECK_FALSE(language_named("POSIX"));
  CHECK_FALSE(language_named("zho"));
  CHECK_FALSE(language_named(""));
}

TEST_CASE("texts are English until Chinese is chosen, and arguments that are texts are translated too") {
  CHECK(trf("{} of {}", "unknown", 3) == "unknown of 3");
  set_language(Language::chinese);
  CHECK(tr("memory") == "显存");
  CHECK(trc("bill", "memory") == "内存");  // of a host, not of a card
  CHECK(trf("{} yuan", "unknown") == "未知 元");
  set_language(Language::english);
  CHECK(trc("bill", "memory") == "memory");
}

TEST_CASE("every translation with placeholders can be filled") {
  const MessageCatalog chinese{chinese_messages()};
  REQUIRE(chinese.messages().size() > 1000);
  for (const auto& [english, other] : chinese.messages()) {
    const auto slots = message_pattern(english).slots.size();
    for (const auto& slot : message_pattern(other).slots) {
      INFO(english);
      CHECK(slot.argument < slots);
    }
  }
}
