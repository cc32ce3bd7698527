// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "rigplan/json/embedded_data.h"

namespace rigplan {

/// The files of this folder that make up a page: its frame, its style, its scripts. Built into the program.
std::span<const EmbeddedFile> html_assets();

}  // namespace rigplan
