// SPDX-License-Identifier: Apache-2.0
// The schema is that of llama-bench's JSON printer: one object a test, the same keys in JSON and in JSON lines.
#include <fmt/format.h>

#include <algorithm>

#include "import/bench_rows.h"
#include "import/link_text.h"
#include "rigplan/json/cursor.h"
#include "rigplan/json/json_file.h"
#include "rigplan/units/message.h"
#include "validate/names.h"

namespace rigplan {
namespace {

/// One test, its keys read leniently: programs of other years leave some out or add their own.
class LlamaTest {
 public:
  explicit LlamaTest(Cursor at) : object_{at} {}

  std::string text(std::string_view key) {
    const auto at = object_.optional(key);
    return at && at->value().text() != nullptr ? *at->value().text() : std::string{};
  }
  double number(std::string_view key, double otherwise) {
    const auto at = object_.optional(key);
    return at ? at->number() : otherwise;
  }
  bool flag(std::string_view key) {
    const auto at = object_.optional(key);
    return at && !at->is_text() && (at->value().boolean() ? *at->value().boolean() : at->number() > 0);
  }
  double needed(std::string_view key) { return object_.required(key).number(); }
  const Cursor& at() const { return object_.at(); }

 private:
  ObjectReader object_;
};

std::string cache_text(const std::string& keys, const std::string& values) {
  if ((keys.empty() || keys == "f16") && (values.empty() || values == "f16")) return {};
  return keys == values ? keys : keys + "/" + values;
}

/// "NVIDIA GeForce RTX 3090, NVIDIA GeForce RTX 3090": the first card, and how many there are.
std::pair<std::string, int> cards_of(const std::string& info) {
  const auto comma = info.find(", ");
  const auto others = std::count(info.begin(), info.end(), ',');
  return {info.substr(0, comma), info.empty() ? 0 : 1 + static_cast<int>(others)};
}

/// Layers left to the processor make another question than the planner's.
bool leaves_layers(BenchRows& rows, const Measurement& row, double on_cards) {
  const auto* model = find_model(row.model);
  if (model == nullptr || on_cards < 0 || on_cards >= model->layers()) return false;
  rows.ask("n_gpu_layers", fmt::format("tests with {:g} of {} layers on the cards are left out", on_cards, model->layers()));
  return true;
}

void add_test(BenchRows& rows, LlamaTest test) {
  const double prompt = test.needed("n_prompt"), generate = test.needed("n_gen"), rate = test.needed("avg_ts");
  if (prompt > 0 && generate > 0)
    return rows.ask("tests", fmt::format("a test of {:g} tokens of prompt and {:g} generated has one rate for both; left out",
                                         prompt, generate));
  if (!(rate > 0)) return rows.ask("tests", msg("a test without a rate is left out"));
  Measurement row;
  row.kind = generate > 0 ? "decode" : "prefill";
  row.metric = "tokens_per_s";
  row.value = rate;
  const auto [called, count] = cards_of(test.text("gpu_info"));
  row.gpu = rows.card(called);
  row.gpu_count = std::max(count, 1);
  row.nodes = 1;
  auto backend = test.text("backends");
  for (auto& c : backend) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  row.engine = backend.empty() ? "llama.cpp" : "llama.cpp-" + backend.substr(0, backend.find(','));
  if (const double build = test.number("build_number", 0); build > 0) row.engine_date = fmt::format("b{:.0f}", build);
  rows.set_model(row, {test.text("model_filename"), test.text("model_type")});
  if (const double bytes = test.number("model_size", 0); bytes > 0) row.weights_gib = bytes / (1 << 30);
  const auto split = test.text("split_mode");
  row.parallel = *row.gpu_count == 1 ? "single" : split;
  row.batch = 1;
  row.context = test.number("n_depth", 0);
  if (generate > 0)
    row.generate = generate;
  else
    row.prompt = prompt;
  row.kv_quant = cache_text(test.text("type_k"), test.text("type_v"));
  row.note = fmt::format("fa {}; n_ubatch {:g}", test.flag("flash_attn") ? "on" : "off", test.number("n_ubatch", 512));
  if (const auto commit = test.text("build_commit"); !commit.empty()) row.note += "; commit " + commit;
  if (const auto day = test.text("test_time").substr(0, 10); !day.empty()) row.note += "; " + day;
  if (!leaves_layers(rows, row, test.number("n_gpu_layers", -1))) rows.add(std::move(row));
}

}  // namespace

ImportedRows import_llama_bench(const std::string& name, std::string_view bytes, const Catalog& catalog,
                                const BenchFacts& facts) {
  BenchRows rows{name, catalog, facts};
  const auto first = bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == bytes.npos) throw DataError{{name, 0, ""}, msg("is empty; expected the output of llama-bench -o json")};
  if (bytes[first] == '[') {
    const auto file = JsonFile::parse(name, std::string{bytes});
    for (const auto& test : Cursor{file}.elements()) add_test(rows, LlamaTest{test});
    return rows.take();
  }
  if (bytes[first] != '{') throw DataError{{name, 1, ""}, msg("is no JSON; expected the output of llama-bench -o json or jsonl")};
  std::string lines_before;  // keeps the lines of messages right
  for (const auto line : split_lines(bytes)) {
    if (line.find('{') != line.npos) {
      const auto file = JsonFile::parse(name, lines_before + std::string{line});
      add_test(rows, LlamaTest{Cursor{file}});
    }
    lines_before += '\n';
  }
  return rows.take();
}

}  // namespace rigplan
