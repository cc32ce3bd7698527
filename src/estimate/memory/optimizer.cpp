// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/memory/optimizer.h"

#include <algorithm>

namespace rigplan {
namespace {

// Moments: Kingma & Ba, arXiv:1412.6980 (two); Loshchilov & Hutter, arXiv:1711.05101 (the same). Block-wise 8-bit moments:
// Dettmers et al., arXiv:2110.02861, one byte each and an fp32 scale per block of 256 values (bitsandbytes since 0.42; 2,048
// before). Adafactor: Shazeer & Stern, arXiv:1804.04235, without first moment. Lion: arXiv:2302.06675.
constexpr double eight_bit = 1 + 4.0 / 256;
constexpr Optimizer table[] = {
    {"sgd", 0, 0, false, false},
    {"sgd-momentum", 1, 0, false, false},
    {"adam", 2, 0, false, false},
    {"adamw", 2, 0, false, false},
    {"adamw-8bit", 0, 2 * eight_bit, false, false},
    {"paged-adamw", 2, 0, false, true},
    {"paged-adamw-8bit", 0, 2 * eight_bit, false, true},
    {"lion", 1, 0, false, false},
    {"lion-8bit", 0, eight_bit, false, false},
    {"adafactor", 0, 0, true, false},
};

char plain(char c) {
  if (c == '_') return '-';
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::span<const Optimizer> optimizers() { return table; }

const Optimizer* find_optimizer(std::string_view name) {
  const auto found = std::find_if(std::begin(table), std::end(table), [&](const Optimizer& optimizer) {
    return std::equal(name.begin(), name.end(), optimizer.name.begin(), optimizer.name.end(),
                      [](char a, char b) { return plain(a) == b; });
  });
  return found == std::end(table) ? nullptr : found;
}

double state_bytes_per_weight(const Optimizer& optimizer, double element) {
  return optimizer.moments * element + optimizer.fixed_bytes;
}

}  // namespace rigplan
