// SPDX-License-Identifier: Apache-2.0
// The schema is what `vllm bench serve --save-result` and SGLang's copy of it write: one object a run.
#include <fmt/format.h>

#include <cmath>

#include "import/bench_rows.h"
#include "rigplan/json/cursor.h"
#include "rigplan/json/json_file.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

std::optional<double> number_at(ObjectReader& run, std::string_view key) {
  const auto at = run.optional(key);
  if (!at || at->is_text()) return std::nullopt;
  return at->number();
}
std::string text_at(ObjectReader& run, std::string_view key) {
  const auto at = run.optional(key);
  return at && at->is_text() ? at->text() : std::string{};
}

/// "20260417-101500" -> "2026-04-17".
std::string date_of(const std::string& stamp) {
  if (stamp.size() < 8 || stamp.find_first_not_of("0123456789-") != stamp.npos || stamp[4] == '-') return stamp.substr(0, 10);
  return fmt::format("{}-{}-{}", stamp.substr(0, 4), stamp.substr(4, 2), stamp.substr(6, 2));
}

void add_runs(BenchRows& rows, Cursor at) {
  ObjectReader run{at};
  if (run.optional("output_throughput") == std::nullopt)
    at.fail(run.optional("tokens_per_second") || run.optional("avg_latency")
                ? msg("is a result of another vllm benchmark, which states neither model nor lengths; expected one of vllm bench "
                      "serve")
                : msg("has no \"output_throughput\"; expected a result of vllm bench serve --save-result"));
  const double completed = run.required("completed").number_within(1, 1e12);
  Measurement row;
  row.kind = "serve";
  const auto backend = text_at(run, "backend").empty() ? text_at(run, "endpoint_type") : text_at(run, "backend");
  row.engine = backend.starts_with("sglang") ? "sglang" : "vllm";
  row.gpu = rows.card("");
  const auto tensor = number_at(run, "tensor_parallel_size");
  row.gpu_count = rows.facts().gpu_count ? *rows.facts().gpu_count : tensor ? static_cast<int>(*tensor) : 1;
  if (!rows.facts().gpu_count && !tensor)
    rows.ask("count", msg("the file does not say how many cards served; taken as one, give --count"));
  row.nodes = 1;
  row.parallel = *row.gpu_count > 1 ? fmt::format("tp{}", *row.gpu_count) : "single";
  rows.set_model(row, {text_at(run, "model_id"), text_at(run, "tokenizer_id")});
  row.prompt = std::round(run.required("total_input_tokens").number() / completed);
  row.generate = std::round(run.required("total_output_tokens").number() / completed);
  const auto streams = number_at(run, "max_concurrency");
  if (streams && *streams >= 1)
    row.batch = static_cast<int>(*streams);
  else
    rows.ask("max_concurrency",
             msg("the run had no limit of streams, so how many ran at once is not known; its rows cannot be compared"));
  row.note = fmt::format("aggregate output; {:g} requests, rate {}", completed,
                         number_at(run, "request_rate") ? fmt::format("{:g}/s", *number_at(run, "request_rate")) : "inf");
  if (const auto day = date_of(text_at(run, "date")); !day.empty()) row.note += "; run " + day;
  if (const double rate = run.required("output_throughput").number(); rate > 0) {
    row.metric = "tokens_per_s";
    row.value = rate;
    rows.add(row);
  }
  for (const auto& [metric, key] : {std::pair{"tpot_ms", "median_tpot_ms"}, std::pair{"ttft_ms", "median_ttft_ms"}}) {
    const auto value = number_at(run, key);
    if (!value || !(*value > 0)) continue;
    row.metric = metric;
    row.value = *value;
    rows.add(row);
  }
}

}  // namespace

ImportedRows import_vllm_bench(const std::string& name, std::string_view bytes, const Catalog& catalog, const BenchFacts& facts) {
  BenchRows rows{name, catalog, facts};
  const auto file = JsonFile::parse(name, std::string{bytes});
  const Cursor root{file};
  if (root.is_array())
    for (const auto& run : root.elements()) add_runs(rows, run);
  else
    add_runs(rows, root);
  return rows.take();
}

}  // namespace rigplan
