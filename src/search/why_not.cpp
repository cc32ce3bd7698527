// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/why_not.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "rigplan/search/rank.h"
#include "rigplan/units/message.h"
#include "search/build_search.h"

namespace rigplan {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string_view::npos ? std::string{} : std::string{text.substr(first, last - first + 1)};
}

/// An entry by its exact id, name or alias; else all that match as a pattern.
template <class T>
std::vector<const T*> named_entries(const Shelf<T>& shelf, const std::string& name) {
  if (const auto* exact = shelf.find(name)) return {exact};
  std::vector<const T*> found;
  for (const auto& entry : shelf.entries)
    if (matches_pattern(entry.id, name) || matches_pattern(entry.name, name)) found.push_back(&entry);
  return found;
}

/// Host kits by their own name or that of their board.
std::set<const HostKit*> named_hosts(const Catalog& catalog, const std::string& name) {
  std::set<const HostKit*> kits;
  if (const auto* exact = catalog.hosts.find(name)) return {exact};
  const auto boards = named_entries(catalog.boards, name);
  for (const auto& kit : catalog.hosts.entries) {
    const bool by_board = std::any_of(boards.begin(), boards.end(), [&](const Board* board) { return board->id == kit.board; });
    if (by_board || matches_pattern(kit.id, name) || matches_pattern(kit.name, name)) kits.insert(&kit);
  }
  return kits;
}

/// What a limit forbids comes before what cannot be done, because less would have to change.
int severity(Misfit misfit) {
  switch (misfit) {
    case Misfit::none:
      return 0;
    case Misfit::memory:
      return 2;
    case Misfit::no_plan:
      return 3;
    case Misfit::software:
      return 4;
    case Misfit::no_slots:
    case Misfit::no_price:
    case Misfit::unknown_speed:
      return 5;
    default:
      return 1;
  }
}

double value_of(const Candidate& candidate, RankBy by) {
  const auto value = candidate.misfit == Misfit::none ? rank_value(candidate, by) : std::nullopt;
  return value.value_or(std::numeric_limits<double>::infinity());
}

/// The best by the measure, in the order of bounds; misfit other than none where every build breaks a limit.
std::optional<Candidate> best_of(const BuildSearch& search, std::vector<Bounded> builds, RankBy by) {
  sort_by_bound(builds);
  std::optional<Candidate> best;
  for (std::size_t next = 0; next < builds.size(); next += looks_at_once) {
    if (best && value_of(*best, by) <= builds[next].bound) break;
    std::vector<Candidate> some;
    search.look_at(std::span{builds}.subspan(next, std::min(looks_at_once, builds.size() - next)), some);
    for (auto& one : some)
      if (!best || value_of(one, by) < value_of(*best, by)) best = std::move(one);
  }
  return best;
}

/// Of builds that all break something: the one that breaks the mildest and costs least, looked at in every respect.
std::optional<Candidate> least_out(const BuildSearch& search, std::vector<Bounded> builds) {
  const auto rank = [&](const Bounded& build) {
    const auto& bounds = search.bounds(build);
    return std::tuple{severity(bounds.misfit(*build.choice)), bounds.price(*build.choice), build.choice};
  };
  std::sort(builds.begin(), builds.end(), [&](const Bounded& a, const Bounded& b) { return rank(a) < rank(b); });
  std::optional<Candidate> best;
  const auto key = [](const Candidate& one) { return std::tuple{severity(one.misfit), one.purchase.total.likely}; };
  for (std::size_t i = 0; i < std::min<std::size_t>(builds.size(), 64); ++i) {
    auto one = search.look_at(builds[i], true);
    if (one.misfit == Misfit::no_slots) continue;
    if (!best || key(one) < key(*best)) best = std::move(one);
  }
  return best;
}

/// How many builds come before a value, and what is first.
void find_place(WhyNot& answer, const BuildSearch& search, RankBy by, double value) {
  auto builds = search.builds(by);
  sort_by_bound(builds);
  int before = 0;
  double least = std::numeric_limits<double>::infinity();
  std::size_t next = 0;
  for (; next < builds.size() && (builds[next].bound < value || builds[next].bound < least); next += looks_at_once) {
    if (next >= most_looks) {
      answer.place_is_least = true;
      break;
    }
    std::vector<Candidate> some;
    search.look_at(std::span{builds}.subspan(next, std::min(looks_at_once, builds.size() - next)), some);
    for (auto& one : some) {
      const double mine = value_of(one, by);
      if (mine < value) ++before;
      if (mine >= least) continue;
      least = mine;
      answer.leader = std::move(one);
    }
  }
  if (value < std::numeric_limits<double>::infinity()) answer.place = before + 1;
}

/// Every limit that the build breaks, and what it cannot do at all first.
void set_broken(WhyNot& answer, const Catalog& catalog, const PriceBook& prices, const Query& query) {
  const auto& build = *answer.build;
  auto& broken = answer.broken;
  broken = broken_limits(catalog, prices, build, query.limits, query.job.kind != JobKind::inference);
  const bool named =
      std::any_of(broken.begin(), broken.end(), [&](const BrokenLimit& one) { return one.misfit == build.misfit; });
  if (build.misfit != Misfit::none && !named) broken.insert(broken.begin(), {build.misfit, build.why_not});
}

/// Why a description has no build at all.
std::string no_room_text(const Space& space, const BuildPattern& pattern, const std::set<const Gpu*>& cards,
                         const std::set<const HostKit*>& hosts, const PriceBook& prices) {
  int most = 0;
  for (const auto& choice : space.choices)
    if (cards.contains(choice.gpu) && (hosts.empty() || hosts.contains(choice.kit)))
      most = std::max(most, choice.machines * choice.cards);
  if (most > 0) return fmt::format("no such host takes {} of these cards; {} at most", pattern.cards, most);
  if (std::none_of(hosts.begin(), hosts.end(), [&](const HostKit* kit) { return prices.find(kit->board) != nullptr; }) &&
      !hosts.empty())
    return fmt::format("the board has no price; --set boards.{}.price=... gives it one", (*hosts.begin())->board);
  return msg("no host takes cards of this form");
}

}  // namespace

std::string_view to_text(WhyNot::Verdict verdict) {
  static constexpr std::string_view names[] = {"first",         "ranked",      "out", msg("unknown card"), msg("unknown host"),
                                               msg("no price"), msg("no room")};
  return names[static_cast<std::size_t>(verdict)];
}

BuildPattern parse_build_pattern(const std::string& text) {
  BuildPattern pattern;
  auto rest = trimmed(text);
  int count = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
  if (error == std::errc{} && count > 0) {
    const auto after = trimmed(std::string_view{end, rest.data() + rest.size()});
    for (const std::string_view sign : {"x ", "× ", "* ", "x", "×"})
      if (after.starts_with(sign) && after.size() > sign.size()) {
        pattern.cards = count;
        rest = trimmed(std::string_view{after}.substr(sign.size()));
        break;
      }
  }
  for (const std::string_view word : {" on ", " in "})
    if (const auto at = rest.find(word); at != std::string::npos) {
      pattern.host = trimmed(std::string_view{rest}.substr(at + word.size()));
      rest = trimmed(std::string_view{rest}.substr(0, at));
      break;
    }
  pattern.gpu = rest;
  return pattern;
}

WhyNot why_not(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, const Query& query,
               const BuildPattern& pattern) {
  WhyNot answer;
  const auto nothing = [&](WhyNot::Verdict verdict, std::string reason) {
    answer.verdict = verdict;
    answer.reason = std::move(reason);
    return answer;
  };
  const auto gpus = named_entries(catalog.gpus, pattern.gpu);
  if (gpus.empty()) return nothing(WhyNot::Verdict::unknown_card, fmt::format("no card \"{}\"", pattern.gpu));
  const std::set<const Gpu*> cards{gpus.begin(), gpus.end()};
  const auto hosts = pattern.host.empty() ? std::set<const HostKit*>{} : named_hosts(catalog, pattern.host);
  if (hosts.empty() && !pattern.host.empty())
    return nothing(WhyNot::Verdict::unknown_host, fmt::format("no board or host \"{}\"", pattern.host));

  auto of_cards = query;
  of_cards.gpu_patterns.clear();
  for (const auto* gpu : cards) of_cards.gpu_patterns.push_back(gpu->id);
  of_cards.limits.max_cards = 0;  // named below with the others
  const BuildSearch some{catalog, model, calibrations, std::span{&of_cards, 1}};
  if (std::none_of(cards.begin(), cards.end(), [&](const Gpu* gpu) { return some.prices().find(gpu->id) != nullptr; }))
    return nothing(WhyNot::Verdict::no_price,
                   fmt::format("{} has no price; --set gpus.{}.price=... gives it one", gpus.front()->name, gpus.front()->id));

  std::vector<Bounded> out;
  auto open = some.builds(query.by, &out);
  const auto is_other = [&](const Bounded& build) {
    const auto& choice = *build.choice;
    return !cards.contains(choice.gpu) || (pattern.cards > 0 && choice.machines * choice.cards != pattern.cards) ||
           (!hosts.empty() && !hosts.contains(choice.kit));
  };
  std::erase_if(open, is_other);
  std::erase_if(out, is_other);
  if (open.empty() && out.empty())
    return nothing(WhyNot::Verdict::no_room, no_room_text(some.space(), pattern, cards, hosts, some.prices()));

  const auto over_count = [&](const Bounded& build) {
    return query.limits.max_cards > 0 && build.choice->machines * build.choice->cards > query.limits.max_cards;
  };
  auto allowed = open;
  std::erase_if(allowed, over_count);
  answer.build = best_of(some, std::move(allowed), query.by);
  if (!answer.build || answer.build->misfit != Misfit::none) {
    open.insert(open.end(), out.begin(), out.end());
    answer.build = least_out(some, std::move(open));
  }
  if (!answer.build) return nothing(WhyNot::Verdict::no_room, msg("the cards find no slots"));
  set_broken(answer, catalog, some.prices(), query);
  const bool ranked = answer.broken.empty();
  auto candidate = *answer.build;
  if (!ranked) candidate.misfit = answer.broken.front().misfit;
  const BuildSearch all{catalog, model, calibrations, std::span{&query, 1}};
  find_place(answer, all, query.by, value_of(candidate, query.by));
  answer.verdict = !ranked ? WhyNot::Verdict::out : answer.place == 1 ? WhyNot::Verdict::first : WhyNot::Verdict::ranked;
  return answer;
}

}  // namespace rigplan
