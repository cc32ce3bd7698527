// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace rigplan {

/// Parses an XML text. @throws DataError with file and line when it is no XML.
void load_xml(pugi::xml_document& document, const std::string& name, std::string_view bytes);

}  // namespace rigplan
