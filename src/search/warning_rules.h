// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "rigplan/search/warnings.h"

namespace rigplan {

using WarningCodes = std::set<std::string, std::less<>>;

/// Rules by what they look at; each adds the codes that apply.
void rules_of_cards(const WarningFacts&, WarningCodes&);     ///< cards and boards as such
void rules_of_parts(const WarningFacts&, WarningCodes&);     ///< adapters, cables, supplies
void rules_of_software(const WarningFacts&, WarningCodes&);  ///< programs of the job on these chips
void rules_of_links(const WarningFacts&, WarningCodes&);     ///< slots, switches, network
void rules_of_plan(const WarningFacts&, WarningCodes&);      ///< how the job is divided
void rules_of_tensor(const WarningFacts&, WarningCodes&);    ///< what dividing every layer costs
void rules_of_loading(const WarningFacts&, WarningCodes&);   ///< bringing the weights to the cards
void rules_of_speed(const WarningFacts&, WarningCodes&);     ///< what rates depend on
void rules_of_money(const WarningFacts&, WarningCodes&);     ///< prices, supplies, circuits

bool asks_training(const WarningFacts&);
/// The plan moves as much data between cards as an all-reduce does.
bool needs_traffic(const WarningFacts&);
bool joins_cards(const WarningFacts&);
/// One copy of the plan lies over several machines.
bool leaves_machine(const WarningFacts&);
/// The plan lies over several machines, and its steps hardly wait for what is between them.
bool network_is_idle(const WarningFacts&);

/// What a card holds under this name; nothing where it holds no such part.
Bytes part_of(const CardUse& card, std::string_view name);

/// Every card with its machine and the link of its slot; no link is -1.
void for_each_card(const WarningFacts&, const std::function<void(const NodeGraph&, const Device&, LinkId)>& visit);

}  // namespace rigplan
