// SPDX-License-Identifier: Apache-2.0
#include "import/xml_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/json/data_error.h"

namespace rigplan {

void load_xml(pugi::xml_document& document, const std::string& name, std::string_view bytes) {
  const auto result = document.load_buffer(bytes.data(), bytes.size());
  if (result) return;
  const auto before = bytes.substr(0, static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)));
  throw DataError{{name, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')), {}},
                  fmt::format("is no XML: {}", result.description())};
}

}  // namespace rigplan
