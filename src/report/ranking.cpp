// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "rigplan/economics/host_kit.h"
#include "rigplan/report/question.h"
#include "rigplan/search/robust.h"
#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {
namespace {

std::string host_name(const Candidate& candidate, const Catalog& catalog) {
  if (const auto* kit = catalog.hosts.find(candidate.host)) return kit->name;
  if (const auto* board = catalog.boards.find(candidate.host)) return board->name;
  return candidate.host;
}

}  // namespace

std::string build_text(const Candidate& candidate, const Catalog& catalog) {
  const auto* gpu = catalog.gpus.find(candidate.gpu);
  const auto part_name = [&](const std::string& id) {
    const auto* part = catalog.parts.find(id);
    return part ? part->name : id;
  };
  auto text = fmt::format("{} × {}, {}", candidate.cards, gpu ? gpu->name : candidate.gpu, host_name(candidate, catalog));
  if (candidate.machines > 1) text += fmt::format(", {} machines", candidate.machines);
  if (!candidate.network.empty()) text += fmt::format(" with {}", part_name(candidate.network));
  if (!candidate.bridge.empty()) text += fmt::format(", {}", part_name(candidate.bridge));
  if (const auto* part = catalog.parts.find(candidate.attachment)) text += fmt::format(", {}", part->name);
  if (!candidate.links.empty()) text += fmt::format(", {}", candidate.links);
  return text;
}

namespace {

RankingRow row_of(const Candidate& candidate, const Catalog& catalog, JobKind kind) {
  const auto& best = candidate.best;
  RankingRow row;
  row.build = build_text(candidate, catalog);
  row.gpu = candidate.gpu;
  row.host = candidate.host;
  row.attachment = candidate.attachment;
  row.links = candidate.links;
  row.plan = plan_text(best.plan, kind);
  row.cards = candidate.cards;
  row.price = candidate.purchase.total;
  row.unknown_prices = candidate.purchase.unknown;
  row.vram = candidate.vram;
  for (const auto& card : best.memory) row.vram_used += best.plan.replicas * card.used;
  if (!best.memory.empty()) {
    row.card_vram_used = best.memory.front().used;
    row.card_vram_usable = best.memory.front().usable;
  }
  row.fits = best.fits;
  row.reason = candidate.why_not;
  if (best.inference) {
    row.decode = best.inference->decode_per_user;
    row.prefill = best.inference->prefill;
    row.first_token = best.inference->first_token;
  } else if (best.training) {
    row.training = best.tokens;
  }
  if (candidate.with_peer)
    row.with_peer =
        candidate.with_peer->inference ? candidate.with_peer->inference->decode_per_user : candidate.with_peer->tokens;
  row.usable = best.usable;
  row.merit = candidate.merit;
  row.cost = candidate.cost.total();
  row.limited_by = best.limited_by;
  row.wall = candidate.wall.peak;
  row.loaded = candidate.loaded;
  row.warnings = candidate.warnings;
  row.oldest_price = candidate.purchase.oldest;
  row.bridge = candidate.bridge;
  row.network = candidate.network;
  row.machines = candidate.machines;
  row.quant = candidate.quant;
  row.engine = candidate.engine;
  return row;
}

std::string headline_of(const Ranking& ranking, const Catalog& catalog) {
  if (ranking.ranked.empty()) {
    if (ranking.rejected.empty()) return tr("No build can be made from the cards asked for.");
    return trf("None of {} builds fits. The nearest: {}: {}.", format_whole(ranking.candidates),
               build_text(ranking.rejected.front(), catalog), ranking.rejected.front().why_not);
  }
  const auto& first = ranking.ranked.front();
  if (!ranking.pareto.empty()) {
    std::vector<std::string_view> names;
    for (const auto measure : ranking.pareto) names.push_back(rank_keys()[static_cast<std::size_t>(measure)]);
    return trf("{} builds that no other one beats in {} together.",
               format_whole(static_cast<double>(std::count(ranking.on_front.begin(), ranking.on_front.end(), true))),
               fmt::join(names, ", "));
  }
  const auto build = build_text(first, catalog), plan = plan_text(first.best.plan, ranking.query.job.kind);
  if (ranking.query.by == RankBy::yuan_per_usable_tflop) return trf("Cheapest per usable TFLOP/s: {}; {}.", build, plan);
  return trf("First by {}: {}; {}.", rank_names()[static_cast<std::size_t>(ranking.query.by)], build, plan);
}

void add_dates(RankingReport& report, const Candidate& candidate) {
  const auto& bill = candidate.purchase;
  if (!bill.oldest.empty() && (report.oldest_price.empty() || bill.oldest < report.oldest_price))
    report.oldest_price = bill.oldest;
  report.newest_price = std::max(report.newest_price, bill.newest);
}

/// The command that shows the first build. A command line cannot say splitters, bridges and networks; its cards then stand alone.
std::string in_full(const Candidate& first, const TransformerModel& model, const Ranking& ranking) {
  const auto& format = ranking.query.job.weight_format;
  const auto& board = first.rig.nodes.front().board;
  const bool plain = first.machines == 1 && first.bridge.empty() && (first.attachment.empty() || first.attachment == "direct");
  if (plain && !board.empty())
    return trf("rigplan estimate --gpu {} --count {} --board {} --model {} --quant {}: this build in full", first.gpu,
               first.cards, board, model.id, format);
  return trf("rigplan estimate --gpu {} --count {} --model {} --quant {}: its cards, on the first board that takes them",
             first.gpu, first.cards, model.id, format);
}

}  // namespace

RankingReport ranking_report(const Ranking& ranking, const RankingView& view, const TransformerModel& model,
                             const Catalog& catalog) {
  RankingReport report;
  report.question = question_text(ranking.query, model);
  report.query = question_json(ranking.query, model);
  report.headline = headline_of(ranking, catalog);
  report.trains = ranking.query.job.kind != JobKind::inference;
  report.build_unstated = !report.trains && ranking.query.job.engine_date.empty();
  report.by = ranking.query.by;
  report.candidates = ranking.candidates;
  report.dominated = ranking.dominated;
  report.rejected = static_cast<int>(ranking.rejected.size()) + ranking.ruled_out;
  report.looked_at = ranking.looked_at;
  report.beyond = ranking.beyond;
  report.cards_without_price = static_cast<int>(ranking.cards_without_price.size());

  report.pareto = ranking.pareto;
  report.draws = view.draws;
  std::vector<double> wins;
  if (view.draws > 0) wins = shares_of_first(catalog, ranking, view.draws, view.seed);
  report.other_wins = std::accumulate(wins.begin(), wins.end(), 0.0);

  const auto kind = ranking.query.job.kind;
  const auto& beaten = ranking.is_dominated;
  const bool front = !ranking.pareto.empty();
  int shown = 0;
  for (std::size_t i = 0; i < ranking.ranked.size(); ++i) {
    if ((front ? !ranking.on_front[i] : beaten[i]) && !view.all) continue;
    if (view.top > 0 && shown == view.top) {
      ++report.more_ranked;
      continue;
    }
    auto row = row_of(ranking.ranked[i], catalog, kind);
    row.rank = front && !view.all ? shown + 1 : static_cast<int>(i) + 1;
    row.dominated = beaten[i];
    if (front) row.on_front = ranking.on_front[i];
    if (!wins.empty()) {
      row.wins_share = wins[i];
      report.other_wins -= wins[i];
    }
    add_dates(report, ranking.ranked[i]);
    report.rows.push_back(std::move(row));
    ++shown;
  }
  if (view.all)
    for (const auto& candidate : ranking.rejected) report.rows.push_back(row_of(candidate, catalog, kind));
  report.several_jobs = std::any_of(report.rows.begin(), report.rows.end(), [&](const RankingRow& row) {
    return row.quant != report.rows.front().quant || row.engine != report.rows.front().engine;
  });
  if (!report.rows.empty() && report.rows.front().rank > 0)
    report.next.push_back(in_full(ranking.ranked.front(), model, ranking));
  return report;
}

}  // namespace rigplan
