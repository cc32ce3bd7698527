// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace rigplan {

/// Makes blocks 0 to count - 1 on several threads and hands them over in order, so that what is written does not depend on the
/// number of threads. At most four blocks for each thread wait at any time.
/// @param make_worker called once on each thread; what it returns makes the block of an index
/// @param take called on this thread, in order; what it throws, or a worker throws, ends everything and comes out here
template <class Block, class MakeWorker, class Take>
void in_order(std::int64_t count, int threads, const MakeWorker& make_worker, const Take& take) {
  std::mutex guard;
  std::condition_variable made, room;
  std::map<std::int64_t, Block> waiting;
  std::int64_t next_to_make = 0, next_to_take = 0;
  std::exception_ptr failure;
  bool stop = false;

  const auto work = [&] {
    try {
      auto make = make_worker();
      for (;;) {
        std::unique_lock lock{guard};
        room.wait(lock, [&] { return stop || next_to_make >= count || next_to_make < next_to_take + 4 * threads; });
        if (stop || next_to_make >= count) return;
        const auto index = next_to_make++;
        lock.unlock();
        auto block = make(index);
        lock.lock();
        waiting.emplace(index, std::move(block));
        made.notify_one();
      }
    } catch (...) {
      const std::lock_guard lock{guard};
      if (!failure) failure = std::current_exception();
      stop = true;
      made.notify_one();
      room.notify_all();
    }
  };

  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  try {
    while (next_to_take < count) {
      std::unique_lock lock{guard};
      made.wait(lock, [&] { return stop || waiting.contains(next_to_take); });
      if (stop) break;
      auto block = std::move(waiting.extract(next_to_take).mapped());
      ++next_to_take;
      lock.unlock();
      room.notify_all();
      take(std::move(block));
    }
  } catch (...) {
    const std::lock_guard lock{guard};
    if (!failure) failure = std::current_exception();
    stop = true;
    room.notify_all();
  }
  for (auto& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rigplan
