// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/search/rank.h"

namespace rigplan {

/// One build of a ranking, as every printer shows it.
struct RankingRow {
  int rank = 0;  ///< 0: not ranked
  std::string build, gpu, host, attachment, links, plan;
  std::string bridge, network, quant, engine;
  int machines = 1;
  int cards = 0;
  Range<Yuan> price;
  int unknown_prices = 0;                                   ///< lines of the bill without a price
  Bytes vram, vram_used, card_vram_used, card_vram_usable;  ///< of all cards in use; of the fullest card
  bool fits = false;
  std::string reason;  ///< why it is not ranked
  bool dominated = false;
  std::optional<Range<TokenRate>> decode, prefill, training;
  std::optional<Range<Seconds>> first_token;
  Range<FlopRate> usable;
  std::optional<Range<TokenRate>> with_peer;  ///< decode or training rate when peer access works, where that is unknown
  Merit merit;
  Range<Yuan> cost;  ///< over the horizon
  std::string limited_by;
  Watts wall, loaded;
  std::vector<std::string> warnings;
  std::string oldest_price;  ///< empty: none dated
  std::optional<bool> on_front;
  std::optional<double> wins_share;  ///< of the draws
};

/// The report of rigplan rank.
struct RankingReport {
  std::string question;
  std::string headline;
  JsonValue query;
  bool trains = false;
  bool build_unstated = false;  ///< of the engine, so ranges of speed hold what people report
  RankBy by = RankBy::yuan_per_usable_tflop;
  std::vector<RankBy> pareto;    ///< measures of the front; empty: not asked
  bool several_jobs = false;     ///< rows differ in number format or engine
  int draws = 0;                 ///< 0: not asked
  double other_wins = 0;         ///< share of draws won by builds that are not shown
  std::vector<RankingRow> rows;  ///< those to be shown
  int candidates = 0, looked_at = 0, beyond = 0;
  int more_ranked = 0, dominated = 0, rejected = 0, cards_without_price = 0;
  std::string oldest_price, newest_price;  ///< of the rows shown
  std::vector<std::string> next;           ///< useful commands
};

struct RankingView {
  int top = 20;      ///< ranked rows; 0: all
  bool all = false;  ///< dominated and rejected builds too
  int draws = 0;     ///< of the price and speed ranges; 0: none
  std::uint64_t seed = 1;
};

/// "3 x MI50 32GB, H12SSL-i PCIe 4.0 x16": what a build is called.
std::string build_text(const Candidate& candidate, const Catalog& catalog);

RankingReport ranking_report(const Ranking& ranking, const RankingView& view, const TransformerModel& model,
                             const Catalog& catalog);

std::string ranking_to_text(const RankingReport& report, const Screen& screen = {});
/// {"schema": "rigplan/rank/1", "query": {...}, "candidates": n, "rows": [...]}
JsonValue ranking_to_json(const RankingReport& report);

}  // namespace rigplan
