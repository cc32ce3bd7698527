// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace rigplan {

/// The name of a link in the language chosen: "chipset uplink PCIe 3.0 x4" is a name and the link that has it.
std::string link_label(std::string_view label);

}  // namespace rigplan
