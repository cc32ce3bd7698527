// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "rigplan/catalog/catalog.h"

namespace rigplan {

/// The price of every item of a catalog, derived once. A search asks for the same few hundred prices thousands of times.
class PriceBook {
 public:
  explicit PriceBook(const Catalog& catalog);
  /// nullptr when the item has no price.
  const Price* find(std::string_view item) const;
  void replace(const std::string& item, const Price& price) { prices_[item] = price; }
  void remove(const std::string& item) { prices_.erase(item); }

 private:
  std::map<std::string, Price, std::less<>> prices_;
};

}  // namespace rigplan
