// SPDX-License-Identifier: Apache-2.0
// Rates of a card, with those that it falls back to; and the same for training.
#include "rigplan/estimate/compute/card_speed.h"

#include <catch2/catch.hpp>

#include "rigplan/estimate/compute/training_constants.h"

using namespace rigplan;

TEST_CASE("a card with every path has each rate as its datasheet says") {
  Gpu gpu;
  gpu.id = "card";
  gpu.architecture = "arch";
  gpu.memory_type = "HBM3";
  gpu.vendor = Vendor::nvidia;
  gpu.vram = 80 * GiB;
  gpu.vram_bandwidth = 3000 * GB_per_s;
  gpu.board_power = 700 * watt;
  gpu.peaks = {.fp32 = 60 * TFLOP_per_s,
               .fp16_vector = 120 * TFLOP_per_s,
               .fp16_matrix = 1000 * TFLOP_per_s,
               .fp16_matrix_fp16_accumulate = 1100 * TFLOP_per_s,
               .bf16_matrix = 990 * TFLOP_per_s,
               .int8 = 1900 * TFLOP_per_s,
               .fp8 = 2000 * TFLOP_per_s,
               .fp4 = 4000 * TFLOP_per_s};
  Architecture architecture;
  architecture.family = "family";
  const auto card = card_speed(gpu, &architecture);
  CHECK((card.card == "card" && card.architecture == "arch" && card.family == "family" && card.memory_type == "HBM3"));
  CHECK(card.vendor == "nvidia");
  CHECK(card.vram == 80 * GiB);
  CHECK(card.memory == 3000 * GB_per_s);
  CHECK(card.fp32 == 60 * TFLOP_per_s);
  CHECK(card.matrix16 == 1000 * TFLOP_per_s);
  CHECK(card.matrix16_fast == 1100 * TFLOP_per_s);
  CHECK(card.int8 == 1900 * TFLOP_per_s);
  CHECK(card.fp8 == 2000 * TFLOP_per_s);
  CHECK(card.fp4 == 4000 * TFLOP_per_s);
  CHECK(card.matrix_units);
  CHECK(card.board_power == 700 * watt);
  CHECK(card_speed(gpu, nullptr).family.empty());
  for (const auto& [vendor, name] : {std::pair{Vendor::amd, "amd"},
                                     {Vendor::intel, "intel"},
                                     {Vendor::huawei, "huawei"},
                                     {Vendor::moore_threads, "moore-threads"},
                                     {Vendor::other, "other"}}) {
    gpu.vendor = vendor;
    CHECK(card_speed(gpu, nullptr).vendor == name);
  }
}

// Vega 20: 13.4 TFLOP/s of fp32 and 26.8 of packed fp16, no matrix units; v_dot4_i32_i8 multiplies four int8 pairs a lane.
TEST_CASE("a chip without matrix units multiplies 16 bit in its vectors and int8 four at a time") {
  Gpu gpu;
  gpu.peaks.fp32 = 13.4 * TFLOP_per_s;
  gpu.peaks.fp16_vector = 26.8 * TFLOP_per_s;
  Architecture architecture;
  const auto card = card_speed(gpu, &architecture);
  CHECK_FALSE(card.matrix_units);
  CHECK(card.matrix16 == 26.8 * TFLOP_per_s);
  CHECK(card.matrix16_fast == 26.8 * TFLOP_per_s);
  CHECK(card.int8.in(TFLOP_per_s) == Approx(53.6));
  CHECK(card.fp8 == card.matrix16);
  CHECK(card.fp4 == card.matrix16);
  CHECK(card.board_power == Watts{});
  // Pascal's consumer chips run fp16 at 1/64: engines use fp32 there, whatever the datasheet's vector rate.
  architecture.fast_fp16 = false;
  CHECK(card_speed(gpu, &architecture).matrix16 == 13.4 * TFLOP_per_s);
  architecture.matrix_units = true;
  CHECK(card_speed(gpu, &architecture).matrix_units);
  // fp32 that no datasheet states is half of packed fp16; nothing of nothing.
  gpu.peaks.fp32.reset();
  CHECK(card_speed(gpu, nullptr).fp32 == 13.4 * TFLOP_per_s);
  CHECK(card_speed(gpu, nullptr).matrix16 == 26.8 * TFLOP_per_s);
  gpu.peaks.fp16_vector.reset();
  CHECK(card_speed(gpu, nullptr).fp32 == FlopRate{});
  // Matrix units for bf16 alone do 16 bit; with fp16 matrices but no figure for int8 that goes at their rate.
  gpu.peaks.bf16_matrix = 200 * TFLOP_per_s;
  CHECK(card_speed(gpu, nullptr).matrix16 == 200 * TFLOP_per_s);
  gpu.peaks.fp16_matrix = 100 * TFLOP_per_s;
  CHECK(card_speed(gpu, nullptr).matrix16 == 100 * TFLOP_per_s);
  CHECK(card_speed(gpu, nullptr).int8 == 100 * TFLOP_per_s);
}

TEST_CASE("training multiplies in the job's format, or in what the chip has instead and says so") {
  TrainingCard card;
  card.peaks.fp32 = 20 * TFLOP_per_s;
  card.peaks.fp16_vector = 40 * TFLOP_per_s;
  card.peaks.fp16_matrix = 100 * TFLOP_per_s;
  card.peaks.bf16_matrix = 90 * TFLOP_per_s;
  card.native_fp8 = true;
  const auto peak = [&](TrainingPrecision precision) { return training_rate(card, precision, 4).peak.in(TFLOP_per_s); };
  const auto note = [&](TrainingPrecision precision) { return training_rate(card, precision, 4).note; };
  using enum TrainingPrecision;
  CHECK(peak(fp32) == 20);
  CHECK(peak(fp16) == 100);
  CHECK(peak(bf16) == 90);
  CHECK(peak(fp8) == 90);  // attention and the rest stay in 16 bit
  CHECK(training_rate(card, fp8, 4).fp8);
  CHECK_FALSE(training_rate(card, bf16, 4).fp8);
  CHECK((note(fp32).empty() && note(fp16).empty() && note(bf16).empty() && note(fp8).empty()));
  CHECK(training_rate(card, bf16, 4).emulation == 1);
  // A chip whose instruction set has bf16 at the rate of fp16, without a figure of its own.
  card.peaks.bf16_matrix.reset();
  CHECK(peak(bf16) == 100);
  card.native_fp8 = false;
  CHECK_FALSE(note(fp8).empty());
  CHECK(peak(fp8) == 100);
  // No bf16: by way of fp32, four times slower than the vectors.
  card.native_bf16 = false;
  CHECK(peak(bf16) == 40);
  CHECK(training_rate(card, bf16, 4).emulation == 4);
  CHECK(peak(fp8) == 100);
  // Slow fp16 without matrices for it.
  card.peaks.fp16_matrix.reset();
  CHECK(peak(fp16) == 40);
  card.fast_fp16 = false;
  CHECK(peak(fp16) == 20);
  CHECK_FALSE(note(fp16).empty());
  for (const auto precision : {fp32, fp16}) CHECK(training_rate(card, precision, 4).emulation == 1);
  CHECK(training_rate(card, fp8, 4).emulation == 1);
  CHECK(peak(bf16) == 20);
  card.peaks.fp16_matrix = 100 * TFLOP_per_s;  // matrices for it, and nothing but them
  CHECK(peak(fp16) == 100);
  CHECK(note(fp16).empty());
  card.matrix_units = false;
  CHECK_FALSE(note(fp16).empty());
}

TEST_CASE("training sees of a chip what its architecture has") {
  Gpu gpu;
  gpu.peaks.fp32 = 20 * TFLOP_per_s;
  gpu.vram_bandwidth = 900 * GB_per_s;
  Architecture architecture;
  architecture.id = "sm_70";
  architecture.family = "volta";
  architecture.matrix_units = true;
  const auto card = training_card(gpu, architecture);
  CHECK((card.architecture == "sm_70" && card.family == "volta" && card.memory == 900 * GB_per_s));
  CHECK((card.matrix_units && !card.native_bf16 && !card.native_fp8 && card.fast_fp16));
  CHECK(card.peaks.fp32 == 20 * TFLOP_per_s);
}
