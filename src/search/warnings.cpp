// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/warnings.h"

#include <algorithm>

#include "search/warning_rules.h"

namespace rigplan {

bool asks_training(const WarningFacts& facts) { return facts.query.job.kind != JobKind::inference; }

bool needs_traffic(const WarningFacts& facts) {
  const auto& plan = facts.result.plan;
  return plan.tensor > 1 || plan.expert > 1 || plan.split == SplitMode::row ||
         (asks_training(facts) && plan.replicas > 1 && facts.query.job.kind == JobKind::full_finetune);
}

bool joins_cards(const WarningFacts& facts) {
  return facts.result.plan.cards > 1 || (asks_training(facts) && facts.result.plan.replicas > 1);
}

bool leaves_machine(const WarningFacts& facts) {
  std::size_t most = 0;
  for (const auto& kind : facts.graph.kinds) most = std::max(most, kind.cards.size());
  return facts.result.plan.cards > static_cast<int>(most);
}

namespace {

/// Where links take less of a step than this, no network makes it noticeably faster: ranges of rates are far wider.
constexpr double unnoticed_share = 0.05;

/// What a step spends on links between cards, 0 to 1; 0 where nothing is known of it.
double share_of_links(const WarningFacts& facts) {
  if (const auto& speed = facts.result.inference; speed && speed->parts.total() > Seconds{})
    return speed->parts.communication / speed->parts.total();
  if (const auto& training = facts.result.training; training && training->step > Seconds{})
    return (training->parts.tensor_comm + training->parts.exposed_comm) / training->step;
  return 0;
}

}  // namespace

bool network_is_idle(const WarningFacts& facts) {
  return leaves_machine(facts) && facts.result.fits && share_of_links(facts) < unnoticed_share;
}

Bytes part_of(const CardUse& card, std::string_view name) {
  for (const auto& part : card.parts)
    if (part.name == name) return part.size;
  return {};
}

void for_each_card(const WarningFacts& facts, const std::function<void(const NodeGraph&, const Device&, LinkId)>& visit) {
  for (const auto& kind : facts.graph.kinds)
    for (const int device : kind.cards)
      visit(kind, kind.devices[static_cast<std::size_t>(device)], kind.upward[static_cast<std::size_t>(device)]);
}

std::vector<std::string> warnings_of(const WarningFacts& facts) {
  WarningCodes codes;
  for (const auto rules : {rules_of_cards, rules_of_parts, rules_of_software, rules_of_links, rules_of_plan, rules_of_tensor,
                           rules_of_loading, rules_of_speed, rules_of_money})
    rules(facts, codes);
  return {codes.begin(), codes.end()};
}

std::vector<std::string> plan_warnings_of(const WarningFacts& facts) {
  WarningCodes codes;
  for (const auto rules : {rules_of_plan, rules_of_tensor}) rules(facts, codes);
  return {codes.begin(), codes.end()};
}

}  // namespace rigplan
