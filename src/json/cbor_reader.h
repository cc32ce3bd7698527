// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "rigplan/json/value.h"

namespace rigplan {

/// Reads what cmake/embed_json.cpp wrote into the program: the part of CBOR (RFC 8949) that JSON needs, with all lengths stated.
/// For bytes from elsewhere nlohmann::json::from_cbor is the one to ask; it takes twice the time, because it takes nothing on
/// trust.
/// @throws std::logic_error for anything else.
JsonValue read_cbor(std::string_view bytes);

}  // namespace rigplan
