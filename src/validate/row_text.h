// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rigplan {

/// What free texts of measured rows say. Sources spell things as they like, so everything here is pattern reading: an engine
/// nobody knows is still an engine, a date nobody wrote is unknown.

std::string lower_case(std::string_view text);
bool has_word(std::string_view lower_text, std::string_view lower_word);

/// "ik_llama.cpp", "llama.cpp", "vllm" ... with the backend that the text names: "llama.cpp-vulkan". Texts without a known name
/// give their first word, so an unknown engine keeps its own level.
std::string read_engine(std::string_view engine, std::string_view engine_date);

/// "2024-05" from a date column, a build number or a pull request; empty when none is there.
std::string read_engine_date(std::string_view engine, std::string_view engine_date, std::string_view source);

/// The number behind `label`: 250 of "power limit 250 W" for "power limit".
std::optional<double> number_after(std::string_view lower_text, std::string_view label);

/// Whether fused attention was on: what the note says, else the engine's default at that date (llama.cpp turned it on by itself
/// in autumn 2025; others always use it).
bool read_flash_attention(std::string_view note, std::string_view engine, std::string_view date);

}  // namespace rigplan
