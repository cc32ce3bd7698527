// SPDX-License-Identifier: Apache-2.0
// Only the precompiled headers of this target matter: every test uses them.
#include <catch2/catch.hpp>
