// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/job_options.h"
#include "cli/session.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// The shape that `--model` names: an id or alias, a GGUF file (all parts of a split one), a config.json of Hugging Face or a
/// folder with one. Where a file states the number format of its weights and the command line none, `options` gets it; the exact
/// bytes of a GGUF file count unless another format or training is asked for. What the file leaves open is told as notes.
/// @throws UsageError with the nearest name, DataError for a file that cannot be used
TransformerModel model_of(const Session& session, JobOptions& options);

}  // namespace rigplan
