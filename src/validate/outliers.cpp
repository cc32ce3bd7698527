// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/outliers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "rigplan/validate/errors.h"
#include "rigplan/validate/map_speed_row.h"
#include "validate/names.h"
#include "validate/row_text.h"

namespace rigplan {
namespace {

constexpr std::size_t least_equals = 3;
constexpr double least_factor = 1.5;
/// Equals agree when three quarters of them lie so near their median.
constexpr double agreeing_share = 0.75, agreeing_factor = 1.2;
constexpr double slow_prompt = 0.2;

std::string bucket(std::optional<double> length) {
  return length && *length >= 1 ? fmt::format("{}", std::lround(std::log2(*length) / 2)) : "";
}
template <class T>
std::string number_text(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

/// Equal for rows that should measure the same: the model's shape, else its name, and all else that a row states.
using RowSetting = std::pair<const TransformerModel*, std::string>;
RowSetting setting_of(const Measurement& row) {
  const auto* model = find_model(row.model);
  const auto* mix = find_mix(row.quant, row.engine);
  const std::vector<std::string> parts{row.kind,
                                       row.metric,
                                       row.gpu,
                                       number_text(row.gpu_count),
                                       number_text(row.nodes),
                                       row.link,
                                       row.node_link,
                                       row.p2p,
                                       row.parallel,
                                       read_engine(row.engine, ""),
                                       model ? "" : row.model,
                                       mix ? std::string{mix->name} : row.quant,
                                       row.kv_quant,
                                       number_text(row.batch),
                                       bucket(row.context),
                                       bucket(row.prompt),
                                       bucket(row.generate),
                                       row.method,
                                       row.precision,
                                       number_text(row.seq),
                                       number_text(row.micro_batch),
                                       number_text(row.global_batch),
                                       row.checkpointing,
                                       row.collective,
                                       number_text(row.message_bytes)};
  return {model, fmt::format("{}", fmt::join(parts, "|"))};
}

std::optional<std::string> contradicted(const Measurement& row, const std::vector<const Measurement*>& equals) {
  std::vector<double> others, distances;
  for (const auto* other : equals)
    if (other != &row) others.push_back(std::log(other->value));
  if (others.size() < least_equals) return std::nullopt;
  const double median = quantile(others, 0.5);
  for (const double other : others) distances.push_back(std::abs(other - median));
  const bool agree = quantile(distances, agreeing_share) <= std::log(agreeing_factor);
  if (!agree || std::abs(std::log(row.value) - median) <= std::log(least_factor)) return std::nullopt;
  return fmt::format("{} rows of the same setting agree on {:.4g}", others.size(), std::exp(median));
}

/// Tokens per second of one stream if nothing but reading the weights once a token took time.
double reading_rate(const SpeedRow& row) {
  const auto* mix = find_weight_mix(row.job.weight_format);
  const auto work = inference_work(*row.model, *mix, *find_number_format(row.job.key_format),
                                   *find_number_format(row.job.value_format), row.setting.weights);
  const auto shape = split_shape(row.plan);
  const double cards = std::max(shape.tensor, shape.expert);
  return 1 / (work.weights_read(1) / (cards * row.card.memory)).in(second);
}

std::optional<std::string> impossible(const Measurement& row, const Catalog& catalog) {
  if (!is_speed_row(row) || row.metric != "tokens_per_s") return std::nullopt;
  const auto mapped = map_speed_row(row, catalog);
  const auto* question = std::get_if<SpeedRow>(&mapped);
  if (!question || question->streams > 1) return std::nullopt;
  const double reading = reading_rate(*question);
  if (question->quantity == SpeedQuantity::decode && row.value > reading)
    return fmt::format("reading the weights alone allows {:.4g} token/s", reading);
  if (question->quantity == SpeedQuantity::prefill && question->job.micro_batch > 8 && row.value < slow_prompt * reading)
    return fmt::format("slower than token by token, which reading the weights allows at {:.4g} token/s", reading);
  return std::nullopt;
}

}  // namespace

std::vector<Outlier> find_outliers(std::span<const Measurement> rows, const Catalog& catalog) {
  std::map<RowSetting, std::vector<const Measurement*>> equals;
  std::vector<RowSetting> settings;
  for (const auto& row : rows) {
    settings.push_back(setting_of(row));
    equals[settings.back()].push_back(&row);
  }
  std::vector<Outlier> outliers;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto reason = impossible(rows[i], catalog);
    if (!reason) reason = contradicted(rows[i], equals[settings[i]]);
    if (reason) outliers.push_back({&rows[i], *reason});
  }
  return outliers;
}

}  // namespace rigplan
