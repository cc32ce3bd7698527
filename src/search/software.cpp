// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/software.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rigplan {
namespace {

/// From the best to the worst.
constexpr std::array by_trust = {SupportLevel::supported, SupportLevel::community, SupportLevel::ended, SupportLevel::unknown,
                                 SupportLevel::unsupported};

auto distrust(SupportLevel level) { return std::find(by_trust.begin(), by_trust.end(), level) - by_trust.begin(); }

/// What is said of a program on a chip; `listed` tells whether the program is spoken of at all.
const EngineSupport* statement_on(const Catalog& catalog, std::string_view program, std::string_view architecture, bool& listed) {
  for (const auto& support : catalog.support) {
    if (support.engine != program) continue;
    listed = true;
    if (support.architecture == architecture) return &support;
  }
  return nullptr;
}

SoftwareVerdict verdict_on(const Catalog& catalog, const std::string& program, const Gpu& gpu) {
  const auto* engine = catalog.engines.find(program);
  const auto* architecture = catalog.architectures.find(gpu.architecture);
  SoftwareVerdict verdict{.level = SupportLevel::unknown, .program = program};
  if (engine && architecture && !engine->vendors.empty() &&
      std::find(engine->vendors.begin(), engine->vendors.end(), architecture->vendor) == engine->vendors.end()) {
    verdict.level = SupportLevel::unsupported;
    return verdict;
  }
  bool listed = false;
  verdict.statement = statement_on(catalog, program, gpu.architecture, listed);
  if (!listed && engine) verdict.statement = statement_on(catalog, engine->family, gpu.architecture, listed);
  if (verdict.statement) verdict.level = verdict.statement->level;
  return verdict;
}

}  // namespace

const Engine* fork_for(const Catalog& catalog, std::string_view program, const Gpu& gpu) {
  const auto* engine = catalog.engines.find(program);
  if (!engine) return nullptr;
  for (const auto& support : catalog.support) {
    const auto* other = support.architecture == gpu.architecture ? catalog.engines.find(support.engine) : nullptr;
    if (other && other != engine && other->family == engine->family && at_least(support.level, SupportLevel::community))
      return other;
  }
  return nullptr;
}

std::string software_text(const SoftwareVerdict& verdict, const Catalog& catalog, const Gpu& gpu) {
  const auto* engine = catalog.engines.find(verdict.program);
  const auto program = engine ? engine->name : verdict.program;
  switch (verdict.level) {
    case SupportLevel::unsupported:
      return fmt::format("{} does not run on {}", program, gpu.architecture);
    case SupportLevel::unknown:
      return fmt::format("nothing is known of {} on {}", program, gpu.architecture);
    case SupportLevel::ended:
      return fmt::format("{} has ended support of {}", program, gpu.architecture);
    case SupportLevel::community:
      return fmt::format("only the community supports {} on {}", program, gpu.architecture);
    case SupportLevel::supported:
      break;
  }
  return fmt::format("{} supports {}", program, gpu.architecture);
}

std::span<const SupportLevel> support_levels() { return by_trust; }

std::string_view to_text(SupportLevel level) {
  switch (level) {
    case SupportLevel::supported:
      return "supported";
    case SupportLevel::community:
      return "community";
    case SupportLevel::ended:
      return "ended";
    case SupportLevel::unsupported:
      return "unsupported";
    case SupportLevel::unknown:
      return "unknown";
  }
  return "";
}

bool at_least(SupportLevel level, SupportLevel least) { return distrust(level) <= distrust(least); }

std::vector<std::string> programs_of(const Job& job) {
  if (job.kind == JobKind::inference) return {job.engine};
  std::vector<std::string> programs{"pytorch"};
  const auto has = [&](std::string_view word) { return job.optimizer.find(word) != std::string::npos; };
  if (job.kind == JobKind::qlora || has("8bit") || has("paged")) programs.emplace_back("bitsandbytes");
  return programs;
}

SoftwareVerdict software_verdict(const Catalog& catalog, const Job& job, const Gpu& gpu) {
  SoftwareVerdict worst;
  for (const auto& program : programs_of(job)) {
    auto verdict = verdict_on(catalog, program, gpu);
    if (worst.program.empty() || distrust(verdict.level) > distrust(worst.level)) worst = std::move(verdict);
  }
  return worst;
}

}  // namespace rigplan
