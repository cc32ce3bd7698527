// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/session.h"
#include "rigplan/workload/model_library.h"

namespace rigplan {

/// The shape that `--model` names. @throws UsageError with the nearest name.
const TransformerModel& model_of(ModelLibrary& models, const std::string& name);

}  // namespace rigplan
