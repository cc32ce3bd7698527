// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace rigplan {

/// A bar that moves on stderr while an answer takes longer than half a second, where stderr is a terminal. It is wiped off before
/// anything else is written. Nothing that is computed depends on it.
class Busy {
 public:
  explicit Busy(bool wanted);
  ~Busy() { stop(); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

  void stop();

 private:
  void move();

  std::mutex guard_;
  std::condition_variable change_;
  bool stopped_ = false;
  std::thread mover_;
};

/// "[   ===              ] 1.2 s": a block that goes to and fro.
std::string busy_text(std::chrono::milliseconds since);

}  // namespace rigplan
