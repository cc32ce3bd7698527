// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

/// What joins the sockets of a board, by generation of processor: QPI, UPI, xGMI between sockets.
struct SocketLink : Entry {
  std::vector<std::string> microarchitectures;  ///< as in Cpu::microarchitecture
  Bandwidth rate;                               ///< what peers on two sockets get, one way, all links together
  Seconds latency;                              ///< one way
};

}  // namespace rigplan
