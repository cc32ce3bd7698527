// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rigplan {

/// How the program ends. Scripts rely on these numbers; they never change their meaning.
enum class ExitCode {
  done = 0,
  internal_error = 1,
  input_error = 2,       ///< wrong usage, or an input that cannot be read
  nothing_fits = 3,      ///< every build was looked at and none can do the job
  policy_matched = 4,    ///< a rule given with --fail-on or a policy file matched
  difference_found = 5,  ///< only for commands asked to tell by their exit code
};

}  // namespace rigplan
