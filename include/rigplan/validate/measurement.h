// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

/// One measured number and the setting in which it was measured. Texts are as the source wrote them; an empty text or option
/// means that the source does not say.
struct Measurement {
  std::string id;
  std::string kind;  ///< decode, prefill, serve, memory, train, train_memory, collective, p2p
  std::string gpu;   ///< catalog id
  std::optional<int> gpu_count, nodes;
  std::string link, node_link, p2p, parallel;
  std::string engine, engine_date;
  std::string model, quant;
  std::optional<double> weights_gib;       ///< of the file, as the source states it
  std::optional<int> batch;                ///< above 1 the value is the rate of all streams together
  std::optional<double> context;           ///< depth at which a decode rate was measured, not the configured window
  std::optional<double> prompt, generate;  ///< tokens
  std::string kv_quant;
  std::string method, precision;  ///< of training
  std::optional<double> seq;
  std::optional<int> micro_batch, global_batch;
  std::string checkpointing, optimizer;
  std::string collective;
  std::optional<double> message_bytes;
  std::string metric;  ///< names the unit of `value`: tokens_per_s, time_us, kv_mib, ...
  double value = 0;
  std::string source, note;
  std::string file;  ///< where the row stands
  int line = 0;

  /// The place for messages: "speed.csv:12 (s352663773)".
  std::string where() const;
};

/// Reads a CSV text with a header line that names the columns in any order; columns may be missing, except kind, metric and
/// value, and `id` is made from the line where there is none.
/// @throws DataError with the line: unknown or repeated column, wrong number of fields, a number that cannot be read, an id
/// that stands twice, a value that is not above 0.
std::vector<Measurement> read_measurements(const std::string& file, std::string_view text);

/// The columns, in the order in which files are written.
std::span<const std::string_view> measurement_columns();

/// A CSV text that read_measurements() reads back to the same rows.
std::string to_csv(std::span<const Measurement> rows);

}  // namespace rigplan
