// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "rigplan/catalog/catalog.h"
#include "rigplan/topology/rig.h"

namespace rigplan {

/// A small made-up catalog with round numbers, so that bills can be added up in a comment.
inline Catalog sample_catalog() {
  Catalog catalog;
  const auto price = [&](std::string item, double yuan, Condition condition = Condition::used, std::string date = "2026-06") {
    PriceRow row;
    row.item = std::move(item);
    row.amount = {yuan, "CNY"};
    row.condition = condition;
    row.date = std::move(date);
    row.basis = PriceBasis::sold;
    catalog.prices.push_back(row);
  };
  const auto part = [&](std::string id, auto what) {
    Part entry;
    entry.id = entry.name = std::move(id);
    entry.what = what;
    catalog.parts.entries.push_back(entry);
  };

  Gpu gpu;
  gpu.id = gpu.name = "card";
  gpu.vram = 16 * GiB;
  gpu.board_power = 250 * watt;
  gpu.power_8pin = 1;
  gpu.power_6pin = 1;
  gpu.cooling = Cooling::open;
  gpu.form = CardForm::pcie;
  catalog.gpus.entries.push_back(gpu);
  gpu.id = gpu.name = "passive";
  gpu.cooling = Cooling::passive;
  catalog.gpus.entries.push_back(gpu);
  gpu.id = gpu.name = "unpriced";
  gpu.board_power.reset();
  catalog.gpus.entries.push_back(gpu);

  Board board;
  board.id = board.name = "board";
  catalog.boards.entries.push_back(board);
  Cpu cpu;
  cpu.id = cpu.name = "cpu";
  catalog.cpus.entries.push_back(cpu);

  part("psu-1000", Psu{.power = 1000 * watt, .rating = "gold", .pcie_8pin = 6, .hpwr = 0, .eps = 2, .form = PsuForm::atx});
  part("psu-1600", Psu{.power = 1600 * watt, .rating = "gold", .pcie_8pin = 9, .hpwr = 0, .eps = 2, .form = PsuForm::atx});
  part("dimm", OtherPart{.kind = "memory", .size = 32 * GiB, .pieces = 1, .fits = {}, .cards = 0});
  part("drive", OtherPart{.kind = "storage", .size = {}, .pieces = 1, .fits = {}, .cards = 0});
  part("frame", OtherPart{.kind = "case", .size = {}, .pieces = 1, .fits = {}, .cards = 0});
  part("duct", OtherPart{.kind = "cooling", .size = {}, .pieces = 1, .fits = {}, .cards = 0});

  HostKit kit;
  kit.id = kit.name = "kit";
  kit.board = "board";
  kit.cpu = "cpu";
  kit.memory = "dimm";
  kit.memory_count = 2;
  kit.memory_size = 64 * GiB;
  kit.storage = "drive";
  kit.enclosure = "frame";
  kit.idle_power = 60 * watt;
  kit.busy_power = 150 * watt;
  catalog.hosts.entries.push_back(kit);

  PlanningDefaults planning;
  planning.id = "default";
  planning.horizon = 24 * month;
  planning.loaded_hours_per_day = 8;
  planning.idle_hours_per_day = 16;
  planning.power_share = 0.1;
  planning.spare_share = 0.1;
  planning.psu_margin = 0.2;
  planning.upkeep_per_year = 0.02;
  planning.passive_cooler = "duct";
  planning.loss_per_year_used = {0.1, 0.2, 0.3};
  planning.loss_per_year_new = {0.2, 0.4, 0.5};
  planning.idle_draw = 0.1;
  planning.waiting_draw = 0.2;
  planning.decode_draw = 0.6;
  planning.prefill_draw = 0.9;
  planning.training_draw = 0.95;
  catalog.planning.entries.push_back(planning);

  EfficiencyCurve curve;
  curve.id = curve.name = "gold";
  curve.points = {{0.2, 0.90}, {0.5, 0.92}, {1.0, 0.88}};
  catalog.efficiencies.entries.push_back(curve);

  price("card", 600);
  price("passive", 500);
  price("board", 2000);
  price("cpu", 1000);
  price("dimm", 400);
  price("drive", 300, Condition::fresh);
  price("frame", 500, Condition::fresh, "2025-02");
  price("duct", 50);
  price("psu-1000", 700);
  price("psu-1600", 1000);
  return catalog;
}

/// `count` cards of one kind on the sample board.
inline Rig sample_rig(const std::string& gpu, int count) {
  Rig rig;
  rig.nodes.emplace_back();
  rig.nodes.front().board = "board";
  CardPlace place;
  place.gpu = gpu;
  rig.nodes.front().cards.resize(static_cast<std::size_t>(count), place);
  return rig;
}

}  // namespace rigplan
