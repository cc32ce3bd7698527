// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr auto between_lines = std::chrono::milliseconds{200}, between_lines_of_a_log = std::chrono::milliseconds{5000};

}  // namespace

std::string progress_bar(std::int64_t done, std::int64_t total) {
  constexpr std::int64_t cells = 20;
  return fmt::format("[{:<{}}]", std::string(static_cast<std::size_t>(total > 0 ? cells * done / total : cells), '='), cells);
}

std::string progress_text(std::int64_t done, std::int64_t total, double per_second) {
  auto text = trf("{} of {} points ({:.0f} %)", format_whole(static_cast<double>(done)), format_whole(static_cast<double>(total)),
                  total > 0 ? 100.0 * static_cast<double>(done) / static_cast<double>(total) : 100.0);
  if (per_second <= 0) return text;
  text += trf(", {} points/s", format_number(per_second));
  if (done < total) text += trf(", {} left", to_text(static_cast<double>(total - done) / per_second * second));
  return text;
}

Progress::Progress(Show show, std::int64_t done, std::int64_t total)
    : terminal_{isatty(STDERR_FILENO) == 1}, first_{done}, total_{total} {
  shown_ = show == Show::always || (show == Show::on_terminal && terminal_);
}

Progress::~Progress() {
  if (written_ && terminal_) std::fputs("\n", stderr);
}

void Progress::at(std::int64_t done) {
  if (!shown_) return;
  const auto now = Clock::now();
  if (now - last_ < (terminal_ ? between_lines : between_lines_of_a_log) && done < total_) return;
  last_ = now;
  write(done, now);
}

void Progress::write(std::int64_t done, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const auto text = progress_text(done, total_, seconds > 0 ? static_cast<double>(done - first_) / seconds : 0);
  if (terminal_)
    fmt::print(stderr, "\r{} {}\x1b[K", progress_bar(done, total_), text);
  else
    fmt::print(stderr, "{}\n", text);
  written_ = true;
}

}  // namespace rigplan
