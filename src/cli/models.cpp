// SPDX-License-Identifier: Apache-2.0
#include "cli/models.h"

#include <fmt/format.h>

#include <filesystem>

#include "rigplan/import/gguf.h"
#include "rigplan/import/hf_config.h"
#include "rigplan/json/data_error.h"
#include "rigplan/json/json_file.h"
#include "rigplan/units/message.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {
namespace {

namespace fs = std::filesystem;

bool is_model_file(std::string_view path) { return path.ends_with(".gguf") || path.ends_with(".json"); }

/// The number format that a file states counts where neither a format nor a way to train is asked for.
bool takes_format_of_file(const JobOptions& options) { return options.quant.empty() && options.method.empty(); }

TransformerModel model_of_gguf(const Session& session, JobOptions& options, const std::string& path) {
  std::string notice;
  auto file = load_gguf(path, &notice);
  if (!notice.empty()) session.note(notice);
  if (!takes_format_of_file(options)) {
    file.model.file_weights.clear();
    return file.model;
  }
  if (file.weight_mix.empty())
    throw DataError{
        {path, 0, ""},
        fmt::format("holds most weights as {}, which no known mix does; name the nearest with --quant", file.weight_format)};
  options.quant = file.weight_mix;
  return file.model;
}

void tell_of_context(const Session& session, const HfConfig& config, const JobOptions& options) {
  const auto asked = options.job.context.in(token);
  if (config.model.native_context == 0 || asked <= config.model.native_context) return;
  session.note(
      config.scaled_context > 0
          ? fmt::format("the window of {:g} tokens is beyond the {} that the model was trained for; its file scales to {}", asked,
                        config.model.native_context, config.scaled_context)
          : fmt::format("the window of {:g} tokens is beyond the {} that the model was trained for", asked,
                        config.model.native_context));
}

TransformerModel model_of_config(const Session& session, JobOptions& options, const std::string& path) {
  auto config = read_hf_config(JsonFile::parse(path, read_file(path)));
  if (!config.generates)
    throw DataError{{path, 0, ""}, msg("is an embedding or reranking model: it keeps no KV cache and generates nothing")};
  for (const auto& remark : config.remarks) session.note(path + ": " + remark);
  tell_of_context(session, config, options);
  if (!takes_format_of_file(options) || config.weight_format.empty()) return config.model;
  if (find_weight_mix(config.weight_format) != nullptr)
    options.quant = config.weight_format;
  else
    session.note(fmt::format("{}: weights are stored as {}, which is not known here; --quant names another format", path,
                             config.weight_format));
  return config.model;
}

}  // namespace

TransformerModel model_of(const Session& session, JobOptions& options) {
  auto path = options.job.model;
  std::error_code ignored;
  if (fs::is_directory(path, ignored) && fs::exists(path + "/config.json", ignored)) path += "/config.json";
  const bool exists = is_model_file(path) && fs::exists(path, ignored);
  auto& models = session.models();
  if (!exists) {
    if (const auto* model = models.find(path)) return *model;
    if (is_model_file(path))
      throw DataError{{path, 0, ""}, msg("cannot be read: there is no such file, and no model of that name")};
    throw UsageError{fmt::format("--model: no model \"{}\"{}; rigplan catalog list models shows them", path,
                                 did_you_mean(folded_model_name(path), models.ids()))};
  }
  auto model = path.ends_with(".gguf") ? model_of_gguf(session, options, path) : model_of_config(session, options, path);
  for (const auto& assumption : model.assumed) session.note(path + ": assumed " + assumption);
  return model;
}

}  // namespace rigplan
