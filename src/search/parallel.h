// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace rigplan {

/// Calls work(0) ... work(count - 1), each once, on every processor. What a call writes must belong to its index alone, so that
/// nothing depends on which thread was faster. The first exception is thrown again when all threads have stopped.
template <class F>
void for_each_in_parallel(std::size_t count, F work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto take = [&] {
    try {
      for (auto i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock{guard};
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < std::min(8U, std::thread::hardware_concurrency()); ++i) helpers.emplace_back(take);
  take();
  for (auto& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rigplan
