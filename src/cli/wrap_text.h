// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace rigplan {

/// The words of a text in lines of at most `width` columns, each behind `indent` spaces; the first line without them. Chinese has
/// no spaces: there a line ends between any two letters, though not before a closing mark or behind an opening one.
std::string wrap_text(const std::string& text, int width, int indent);

/// As much of a text as fits into `width` columns: cut behind a clause where there is one, else behind a word.
std::string cut_text(const std::string& text, int width);

}  // namespace rigplan
