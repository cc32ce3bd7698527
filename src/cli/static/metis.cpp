// SPDX-License-Identifier: Apache-2.0
// Stand-ins for the static program: Debian has METIS as a shared library only. CHOLMOD, which solves for Ceres, calls it for an
// ordering by nested dissection; Ceres asks CHOLMOD for the approximate minimum degree alone, so these are never called.
#include <cstdio>
#include <cstdlib>

namespace {

[[noreturn]] int not_here() {
  std::fputs("rigplan: internal error: an ordering by nested dissection was asked for\n", stderr);
  std::abort();
}

}  // namespace

extern "C" {
int METIS_NodeND() { return not_here(); }
int METIS_ComputeVertexSeparator() { return not_here(); }
}
