// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace rigplan {

/// po/zh.po, compiled and built in.
std::string_view chinese_messages();

}  // namespace rigplan
