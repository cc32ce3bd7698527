// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/price.h"
#include "rigplan/json/cursor.h"

namespace rigplan {

/// Money above zero, such as "900 yuan" or "120 USD".
Money read_money(Cursor at);
/// Money for an hour, such as "0.69 USD/h".
Money read_money_per_hour(Cursor at);

}  // namespace rigplan
