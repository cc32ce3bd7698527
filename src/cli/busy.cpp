// SPDX-License-Identifier: Apache-2.0
#include "cli/busy.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace rigplan {
namespace {

constexpr auto patience = std::chrono::milliseconds{500}, between_moves = std::chrono::milliseconds{100};
constexpr int bar_width = 20, block_width = 4;

}  // namespace

std::string busy_text(std::chrono::milliseconds since) {
  constexpr int way = bar_width - block_width;
  const auto step = static_cast<int>(since / between_moves % (2 * way));
  const int before = step <= way ? step : 2 * way - step;
  return fmt::format("[{:{}}{:=<{}}{:{}}] {:.1f} s", "", before, "", block_width, "", way - before,
                     std::chrono::duration<double>(since).count());
}

Busy::Busy(bool wanted) {
  if (wanted && isatty(STDERR_FILENO) == 1) mover_ = std::thread{[this] { move(); }};
}

void Busy::stop() {
  if (!mover_.joinable()) return;
  {
    const std::lock_guard lock{guard_};
    stopped_ = true;
  }
  change_.notify_one();
  mover_.join();
}

void Busy::move() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::unique_lock lock{guard_};
  const auto is_over = [this] { return stopped_; };
  if (change_.wait_for(lock, patience, is_over)) return;
  do {
    fmt::print(stderr, "\r{}", busy_text(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start)));
    std::fflush(stderr);
  } while (!change_.wait_for(lock, between_moves, is_over));
  std::fputs("\r\x1b[K", stderr);
}

}  // namespace rigplan
