// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/host_kit.h"

#include <catch2/catch.hpp>

#include "catalog/shipped.h"

using namespace rigplan;

namespace {

/// The part `id` of a kit, which must be of this kind; nothing for an empty id.
const OtherPart* part_of(const std::string& id, const std::string& kind) {
  if (id.empty()) return nullptr;
  CAPTURE(id);
  const auto* part = shipped_catalog().parts.find(id);
  REQUIRE(part);
  REQUIRE(std::holds_alternative<OtherPart>(part->what));
  CHECK(std::get<OtherPart>(part->what).kind == kind);
  return &std::get<OtherPart>(part->what);
}

}  // namespace

TEST_CASE("every kit is made of parts that exist and fit its board") {
  const auto& catalog = shipped_catalog();
  for (const auto& kit : catalog.hosts.entries) {
    CAPTURE(kit.id);
    const auto* board = catalog.boards.find(kit.board);
    REQUIRE(board);
    if (!kit.cpu.empty()) {
      const auto* cpu = catalog.cpus.find(kit.cpu);
      REQUIRE(cpu);
      CHECK(cpu->socket == board->socket);
      CHECK(kit.cpus <= board->sockets);
    } else {
      CHECK(board->includes_cpu);
    }
    part_of(kit.storage, "storage");
    part_of(kit.enclosure, "case");
    part_of(kit.cooler, "cooling");
    if (const auto* memory = part_of(kit.memory, "memory")) {
      CHECK(memory_fits(memory->fits, board->memory_type));
      CHECK(kit.memory_size.in(GiB) == Approx(kit.memory_count * memory->size->in(GiB)));
    }
    CHECK(kit.busy_power >= kit.idle_power);
  }
}
