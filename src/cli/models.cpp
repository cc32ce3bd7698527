// SPDX-License-Identifier: Apache-2.0
#include "cli/models.h"

#include <fmt/format.h>

#include "rigplan/json/data_error.h"

namespace rigplan {

const TransformerModel& model_of(ModelLibrary& models, const std::string& name) {
  if (const auto* model = models.find(name)) return *model;
  throw UsageError{fmt::format("--model: no model \"{}\"{}; rigplan catalog list models shows them", name,
                               did_you_mean(folded_model_name(name), models.ids()))};
}

}  // namespace rigplan
