// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rigplan/json/cursor.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

std::string claim_text(ObjectReader& object, std::string_view key, std::string otherwise = "") {
  const auto at = object.optional(key);
  return at ? at->text() : otherwise;
}

ClaimedModel read_claimed_model(ObjectReader& object) {
  ClaimedModel model;
  model.id = claim_text(object, "model");
  model.quant = claim_text(object, "quant", model.quant);
  if (const auto parameters = object.optional("parameters")) model.parameters = parameters->number_within(1e6, 1e14);
  if (const auto bits = object.optional("bits")) model.bits = bits->number_within(0.5, 64);
  if (model.id.empty() && model.parameters == 0) object.at().fail("has neither \"model\" nor \"parameters\"");
  return model;
}

ClaimedCards read_claimed_cards(ObjectReader& object) {
  ClaimedCards cards{.gpu = object.required("gpu").text()};
  if (const auto count = object.optional("count")) cards.count = static_cast<int>(count->integer(1, 100'000));
  return cards;
}

JobKind read_claimed_kind(ObjectReader& object, JobKind otherwise) {
  constexpr std::array<std::string_view, 4> names{"inference", "full", "lora", "qlora"};
  constexpr std::array kinds{JobKind::inference, JobKind::full_finetune, JobKind::lora, JobKind::qlora};
  const auto at = object.optional("method");
  return at ? kinds[at->one_of(names)] : otherwise;
}

ClaimCheck read_sum_check(ObjectReader& object) {
  constexpr std::array<std::string_view, 3> relations{"equal", "at_most", "at_least"};
  SumCheck check{.sum = object.required("sum").text(),
                 .says = object.required("says").number(),
                 .unit = claim_text(object, "unit"),
                 .readings = {}};
  if (const auto within = object.optional("within")) check.within = within->number_within(0, 1);
  if (const auto relation = object.optional("relation")) check.relation = static_cast<Relation>(relation->one_of(relations));
  if (const auto readings = object.optional("readings"))
    for (const auto& at : readings->elements()) {
      ObjectReader reading{at};
      check.readings.push_back({reading.required("sum").text(), reading.required("as").text()});
      reading.finish();
    }
  return check;
}

ClaimCheck read_figure_check(ObjectReader& object) {
  const auto at = object.required("of");
  const auto path = at.text();
  const auto first = path.find('.'), last = path.rfind('.');
  if (first == std::string::npos || first == last) at.fail(fmt::format("is \"{}\"; expected family.id.field", path));
  FigureCheck check{path.substr(0, first), path.substr(first + 1, last - first - 1), path.substr(last + 1),
                    object.required("says").text()};
  if (const auto contains = object.optional("contains")) check.contains = contains->boolean();
  return check;
}

ClaimCheck read_fits_check(ObjectReader& object) {
  FitsCheck check{.model = read_claimed_model(object), .cards = read_claimed_cards(object), .weights = {}};
  check.kind = read_claimed_kind(object, JobKind::inference);
  if (const auto context = object.optional("context")) check.context = context->quantity<Tokens>();
  if (const auto sequence = object.optional("sequence")) check.sequence = sequence->quantity<Tokens>();
  if (const auto fits = object.optional("fits")) check.fits = fits->boolean();
  if (const auto weights = object.optional("weights")) check.weights = weights->quantity<Bytes>();
  return check;
}

ClaimCheck read_speed_check(ObjectReader& object) {
  SpeedCheck check{.model = read_claimed_model(object), .cards = read_claimed_cards(object)};
  check.engine = claim_text(object, "engine");
  if (const auto users = object.optional("users")) check.users = static_cast<int>(users->integer(1, 4096));
  check.low = check.high = object.required("tokens_per_s").number_within(1e-6, 1e9) * token_per_s;
  if (const auto high = object.optional("to_tokens_per_s"))
    check.high = high->number_within(check.low.in(token_per_s), 1e9) * token_per_s;
  return check;
}

ClaimCheck read_training_check(ObjectReader& object) {
  TrainingCheck check{.model = read_claimed_model(object), .cards = read_claimed_cards(object), .readings = {}};
  check.kind = read_claimed_kind(object, JobKind::lora);
  check.tokens = object.required("tokens").number_within(1, 1e16) * token;
  check.time = object.required("time").quantity<Seconds>();
  if (check.time <= Seconds{}) object.at().fail("has a \"time\" of nothing");
  if (const auto readings = object.optional("readings"))
    for (const auto& at : readings->elements()) {
      ObjectReader reading{at};
      check.readings.push_back({reading.required("tokens").number_within(1, 1e16) * token, reading.required("as").text()});
      reading.finish();
    }
  return check;
}

ClaimCheck read_rent_check(ObjectReader& object) {
  return RentCheck{object.required("gpu").text(), object.required("per_card_hour").quantity<YuanPerSecond>()};
}

ClaimCheck read_price_check(ObjectReader& object) {
  PriceCheck check{.item = object.required("item").text()};
  check.low = check.high = object.required("price").quantity<Yuan>();
  if (const auto high = object.optional("to_price")) check.high = std::max(check.low, high->quantity<Yuan>());
  return check;
}

ClaimCheck read_claim_check(Cursor at) {
  struct KindOfCheck {
    std::string_view name;
    ClaimCheck (*read)(ObjectReader&);
  };
  constexpr std::array<KindOfCheck, 7> kinds{{{"sum", read_sum_check},
                                              {"figure", read_figure_check},
                                              {"fits", read_fits_check},
                                              {"speed", read_speed_check},
                                              {"training", read_training_check},
                                              {"rent", read_rent_check},
                                              {"price", read_price_check}}};
  std::array<std::string_view, kinds.size()> names{};
  std::transform(kinds.begin(), kinds.end(), names.begin(), [](const KindOfCheck& kind) { return kind.name; });
  ObjectReader object{at};
  auto check = kinds[object.required("check").one_of(names)].read(object);
  object.finish();
  return check;
}

}  // namespace

Claim read_claim(const JsonFile& file) {
  ObjectReader root{Cursor{file}};
  constexpr std::array<std::string_view, 1> schema{"rigplan/claim/1"};
  root.optional("$schema");
  root.required("schema").one_of(schema);
  Claim claim{.id = root.required("id").text(),
              .says = root.required("says").text(),
              .source = claim_text(root, "source"),
              .why = claim_text(root, "why"),
              .checks = {}};
  if (const auto checks = root.optional("checks"))
    for (const auto& at : checks->elements()) claim.checks.push_back(read_claim_check(at));
  if (claim.checks.empty() && claim.why.empty()) root.at().fail("has neither \"checks\" nor \"why\" nothing can be computed");
  root.finish();
  return claim;
}

}  // namespace rigplan
