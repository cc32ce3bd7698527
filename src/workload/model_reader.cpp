// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "rigplan/json/figure_reader.h"
#include "rigplan/json/json_file.h"
#include "rigplan/workload/model_library.h"

namespace rigplan {
namespace {

constexpr long long million = 1'000'000;
constexpr double greatest_count = 1e14;  ///< parameters: beyond any model

int whole(ObjectReader& object, std::string_view key, long long least, int otherwise) {
  const auto at = object.optional(key);
  return at ? static_cast<int>(at->integer(least, million)) : otherwise;
}
int whole(ObjectReader& object, std::string_view key) { return static_cast<int>(object.required(key).integer(1, million)); }
bool flag(ObjectReader& object, std::string_view key, bool otherwise) {
  const auto at = object.optional(key);
  return at ? at->boolean() : otherwise;
}

GroupedQuery read_heads(ObjectReader& object) {
  GroupedQuery a;
  a.heads = whole(object, "heads");
  const auto kv_heads = object.required("kv_heads");
  a.kv_heads = static_cast<int>(kv_heads.integer(1, million));
  if (a.heads % a.kv_heads != 0) kv_heads.fail(fmt::format("expected a divisor of the {} heads", a.heads));
  a.head_size = whole(object, "head_size");
  a.value_size = whole(object, "value_size", 1, a.head_size);
  a.gated_output = flag(object, "gated_output", false);
  a.shares_kv = flag(object, "shares_kv", false);
  a.keys_are_values = flag(object, "keys_are_values", false);
  a.query_rank = whole(object, "query_rank", 0, 0);
  a.output_rank = whole(object, "output_rank", 0, 0);
  a.output_groups = whole(object, "output_groups", 1, 1);
  return a;
}

Attention read_attention(Cursor at) {
  static constexpr std::string_view kinds[] = {"grouped-query", "sliding-window", "latent", "recurrent", "none"};
  ObjectReader object{at};
  Attention attention;
  switch (object.required("kind").one_of(kinds)) {
    case 0:
      attention = read_heads(object);
      break;
    case 1: {
      SlidingWindow a{read_heads(object), whole(object, "window")};
      if (const auto compression = object.optional("compression")) a.compression = compression->number_within(1, 1e6);
      attention = a;
      break;
    }
    case 2:
      attention = Latent{.heads = whole(object, "heads"),
                         .query_rank = whole(object, "query_rank", 0, 0),
                         .kv_rank = whole(object, "kv_rank"),
                         .rope_size = whole(object, "rope_size"),
                         .nope_size = whole(object, "nope_size"),
                         .value_size = whole(object, "value_size"),
                         .index_heads = whole(object, "index_heads", 0, 0),
                         .index_size = whole(object, "index_size", 0, 0)};
      break;
    case 3:
      attention = Recurrent{object.required("state_elements").number_within(0, 1e12),
                            object.required("parameters").number_within(0, 1e12)};
      break;
    default:
      attention = Recurrent{};
  }
  object.finish();
  return attention;
}

FeedForward read_feed_forward(Cursor at) {
  static constexpr std::string_view kinds[] = {"dense", "mixture", "none"};
  ObjectReader object{at};
  FeedForward feed_forward = NoFeedForward{};
  const auto kind = object.required("kind").one_of(kinds);
  if (kind == 0) {
    feed_forward = DenseFeedForward{whole(object, "width"), flag(object, "gated", true)};
  } else if (kind == 1) {
    MixtureOfExperts moe;
    moe.experts = whole(object, "experts");
    const auto active = object.required("active");
    moe.active = static_cast<int>(active.integer(1, million));
    if (moe.active > moe.experts) active.fail(fmt::format("expected at most the {} experts", moe.experts));
    moe.expert_width = whole(object, "expert_width");
    moe.shared_experts = whole(object, "shared_experts", 0, 0);
    moe.shared_width = whole(object, "shared_width", 1, moe.shared_experts > 0 ? moe.expert_width : 0);
    moe.gated = flag(object, "gated", true);
    moe.latent_width = whole(object, "latent_width", 0, 0);
    feed_forward = moe;
  }
  object.finish();
  return feed_forward;
}

std::vector<LayerGroup> read_groups(Cursor at) {
  std::vector<LayerGroup> groups;
  for (const auto& element : at.elements()) {
    ObjectReader object{element};
    LayerGroup group;
    group.count = static_cast<int>(object.required("count").integer(1, 10'000));
    group.attention = read_attention(object.required("attention"));
    group.feed_forward = read_feed_forward(object.required("feed_forward"));
    object.finish();
    groups.push_back(group);
  }
  if (groups.empty()) at.fail("expected at least one group of layers");
  return groups;
}

/// Reads the stated fields; a new entry must state the shape.
void read_model(Cursor at, const SourceTable& sources, TransformerModel& model, const std::string& file) {
  const bool overlay = !model.id.empty();
  const auto before = std::move(model.figures);
  model.figures.clear();
  FigureReader reader{at, sources, model};
  const auto field = [&](std::string_view name) {
    return overlay ? reader.optional(name) : std::optional{reader.required(name)};
  };
  if (const auto hidden = field("hidden")) model.hidden = static_cast<int>(hidden->integer(1, million));
  if (const auto vocabulary = field("vocabulary")) model.vocabulary = static_cast<int>(vocabulary->integer(1, 100 * million));
  if (const auto groups = field("groups")) model.groups = read_groups(*groups);
  if (const auto tied = reader.optional("tied_embeddings")) model.tied_embeddings = tied->boolean();
  if (const auto format = reader.optional("published_format")) model.published_format = format->text();
  if (const auto context = reader.optional("native_context"))
    model.native_context = static_cast<int>(context->integer(1, 100 * million));
  if (const auto drafts = reader.optional("draft_layers")) model.draft_layers = static_cast<int>(drafts->integer(0, 1000));
  if (const auto extra = reader.optional("extra_parameters")) model.extra_parameters = extra->number_within(0, greatest_count);
  if (const auto lookup = reader.optional("lookup_parameters"))
    model.lookup_parameters = lookup->number_within(0, greatest_count);
  if (const auto stated = reader.optional("stated_parameters"))
    model.stated_parameters = stated->number_within(1, greatest_count);
  if (const auto active = reader.optional("stated_active_parameters")) {
    model.stated_active_parameters = active->number_within(1, greatest_count);
  }
  reader.finish();
  for (const auto& figure : before) {
    if (!find_figure(model, figure.field)) model.figures.push_back(figure);
  }
  if (overlay)
    ++model.overlays;
  else
    model.file = file;
}

}  // namespace

void read_models(const JsonFile& file, std::vector<TransformerModel>& models) {
  ObjectReader root{Cursor{file}};
  const auto schema = root.required("schema");
  if (schema.text() != "rigplan/models/1") schema.fail(fmt::format("found \"{}\"; expected \"rigplan/models/1\"", schema.text()));
  const SourceTable sources{root.optional("sources")};
  std::map<std::string, Cursor> seen;  // lines are looked up for an error only: that means reading the file again
  for (const auto& at : root.required("models").elements()) {
    const auto id = ObjectReader{at}.required("id");
    const auto [first, fresh] = seen.emplace(id.text(), id);
    if (!fresh) id.fail(fmt::format("\"{}\" stands twice; first on line {}", id.text(), first->second.place().line));
    const auto known = std::ranges::find(models, id.text(), &TransformerModel::id);
    if (known != models.end()) {
      read_model(at, sources, *known, file.name());
    } else {
      TransformerModel model;
      read_model(at, sources, model, file.name());
      models.push_back(std::move(model));
    }
  }
  root.finish();
}

}  // namespace rigplan
