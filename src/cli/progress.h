// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace rigplan {

/// A line on stderr that says how far a long computation is, how fast it goes and how long it will take. Written over itself on a
/// terminal, line by line elsewhere. Nothing that is computed depends on it.
class Progress {
 public:
  enum class Show { never, on_terminal, always };
  Progress(Show show, std::int64_t done, std::int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(std::int64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  void write(std::int64_t done, Clock::time_point now);

  bool shown_ = false, terminal_ = false, written_ = false;
  std::int64_t first_, total_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

/// "[=====               ]": a quarter is done.
std::string progress_bar(std::int64_t done, std::int64_t total);
/// "1,234 of 10,000 points (12 %), 512 points/s, 17 s left".
std::string progress_text(std::int64_t done, std::int64_t total, double per_second);

}  // namespace rigplan
