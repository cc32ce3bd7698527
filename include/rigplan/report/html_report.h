// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/json/value.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// The schemas of answers that a page can be made of: "rigplan/rank/1", ...
std::span<const std::string_view> html_schemas();

/// What a page shows beside the answers themselves.
struct HtmlFacts {
  JsonValue entries;   ///< of each catalog entry that the answers name: id, name, family, sources with date, kind and fields
  JsonValue warnings;  ///< of each warning code in them: title, meaning, what to check
};
HtmlFacts html_facts(std::span<const JsonValue> answers, const Catalog& catalog, std::span<const TransformerModel> models);

/// One self-contained page with summary, tables and charts of the answers, which it holds as JSON. It asks nothing of a network.
/// The charts are drawn in the browser by the scripts of src/report/html out of that JSON alone.
std::string html_report(std::span<const JsonValue> answers, const HtmlFacts& facts, std::string_view program);

}  // namespace rigplan
