// SPDX-License-Identifier: Apache-2.0
#include "report/link_label.h"

#include "text/tr.h"

namespace rigplan {

std::string link_label(std::string_view label) {
  const auto link = label.rfind(" PCIe ");
  if (link == std::string_view::npos) return tr(label);
  return tr(label.substr(0, link)) + std::string{label.substr(link)};
}

}  // namespace rigplan
