// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "rigplan/json/embedded_data.h"

namespace rigplan {

/// The files of this folder that make up a page: its frame, its style, its scripts. Built into the program.
std::span<const EmbeddedFile> html_assets();
/// The search as WebAssembly with the script that loads it, in one file; empty where the program was built without.
std::span<const EmbeddedFile> html_core();

}  // namespace rigplan
