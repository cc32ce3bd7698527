// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/weight_pass.h"

#include <catch2/catch.hpp>

#include "estimate/compute/round_work.h"

using namespace rigplan;
using namespace rigplan::test;

// 1 GB at half of 1,000 GB/s takes 2 ms. 1e9 weights, unpacked in 2 operations each, over 25 TFLOP/s: 0.08 ms. Products of one
// stream: 2 x 1e9 / (0.5 x 200 TFLOP/s) = 0.02 ms, of 64 streams 1.28 ms.
TEST_CASE("a decode step reads the weights once, unpacks them once and multiplies them for each stream") {
  const auto one = decode_weight_pass(round_work(), round_card(), round_constants(), 1, 1, 1);
  CHECK(one.read.in(ms) == Approx(2));
  CHECK(one.unpack.in(ms) == Approx(0.08));
  CHECK(one.multiply.in(ms) == Approx(0.02));
  const auto many = decode_weight_pass(round_work(), round_card(), round_constants(), 64, 1, 1);
  CHECK(many.read.in(ms) == Approx(2));
  CHECK(many.unpack.in(ms) == Approx(0.08));
  CHECK(many.multiply.in(ms) == Approx(1.28));
  // (2^4 + 0.08^4)^(1/4) is 2.000001; with 1.28 by the third power (8 + 2.097)^(1/3) = 2.1614.
  CHECK(many.total.in(ms) == Approx(2.1614).epsilon(1e-4));
}

TEST_CASE("a card that holds a quarter of the weights passes them in a quarter of the time") {
  const auto quarter = decode_weight_pass(round_work(), round_card(), round_constants(), 64, 0.25, 1);
  CHECK(quarter.read.in(ms) == Approx(0.5));
  CHECK(quarter.unpack.in(ms) == Approx(0.02));
  CHECK(quarter.multiply.in(ms) == Approx(0.32));
}

// Kernels on GGUF weights: unpacking 1e9 weights in 2 operations and using them again for three further rows in 4 each:
// (2 + 3 x 4) x 1e9 / 25 TFLOP/s = 0.56 ms. From nine rows on matrix kernels on int8 (800 TFLOP/s, whose tiles are half full at
// 64 x sqrt(800 / 200) = 128 rows) may be quicker: 2 x 1e9 x 9 / (9 / (9 + 128)) / (0.5 x 800 T) = 0.685 ms, against 1.36.
TEST_CASE("matrix-vector kernels unpack each weight once and use it for each row; many rows take matrix kernels") {
  auto work = round_work();
  work.format = FormatClass::k_quant_4;
  work.format_family = "gguf";
  CHECK(decode_weight_pass(work, round_card(), round_constants(), 4, 1, 1).unpack.in(ms) == Approx(0.56));
  CHECK(decode_weight_pass(work, round_card(), round_constants(), 4, 1, 1).multiply == Seconds{});
  CHECK(decode_weight_pass(work, round_card(), round_constants(), 8, 1, 1).unpack.in(ms) == Approx(1.2));
  CHECK(decode_weight_pass(work, round_card(), round_constants(), 9, 1, 1).unpack.in(ms) == Approx(0.685));
}

// A prompt leaves the head out: 0.9 GB take 1.8 ms; 2 x 0.9e9 x 512 rows over half of 200 TFLOP/s, tiles full to
// 512 / (512 + 64): 10.368 ms. At 8 rows and GGUF: (2 + 7 x 4) x 0.9e9 / 25 T = 1.08 ms, whatever matrix kernels would take.
TEST_CASE("a prompt leaves the head out and fills the tiles of matrix kernels") {
  const auto pass = prefill_weight_pass(round_work(), round_card(), round_constants(), 512, 1, 1);
  CHECK(pass.read.in(ms) == Approx(1.8));
  CHECK(pass.multiply.in(ms) == Approx(10.368));
  CHECK(pass.total.in(ms) == Approx(10.386).epsilon(1e-4));  // (1.8^3 + 10.368^3)^(1/3)
  auto work = round_work();
  work.format = FormatClass::int8_block;
  work.format_family = "gguf";
  CHECK(prefill_weight_pass(work, round_card(), round_constants(), 8, 1, 1).multiply.in(ms) == Approx(1.08));
  // 63 rows: vectors 0.9e9 x (2 + 62 x 4) / 25 T = 9 ms; matrices 2 x 0.9e9 x (63 + 128) / 400 T = 0.8595 ms.
  CHECK(prefill_weight_pass(work, round_card(), round_constants(), 63, 1, 1).multiply.in(ms) == Approx(0.8595));
}

// Two of eight experts: one token reads a quarter of 4 GB, two tokens 1 - (3/4)^2 = 7/16 of it.
TEST_CASE("a mixture reads the experts that its tokens draw, and multiplies each token with its own") {
  auto work = round_work();
  work.routed_experts = 8;
  work.active_share = 0.25;
  work.routed_weights = 4 * GB;
  work.routed_values = 4e9;
  CHECK(decode_weight_pass(work, round_card(), round_constants(), 1, 1, 1).read.in(ms) == Approx(4));
  const auto two = decode_weight_pass(work, round_card(), round_constants(), 2, 1, 1);
  CHECK(two.read.in(ms) == Approx(2 + 3.5));
  CHECK(two.unpack.in(ms) == Approx((1 + 1.75) * 2 / 25));
  CHECK(two.multiply.in(ms) == Approx(2 * (1 + 1) * 2 / 100.0));
  // Half of the experts on each of two cards, everything else on both.
  CHECK(decode_weight_pass(work, round_card(), round_constants(), 1, 1, 0.5).read.in(ms) == Approx(3));
  // 64 rows spread over experts are 16 for each: tiles full to 16 / (16 + 64) = 0.2, the dense part to one half.
  const auto prompt = prefill_weight_pass(work, round_card(), round_constants(), 64, 1, 1);
  CHECK(prompt.multiply.in(ms) == Approx(2 * (0.9 / 0.5 + 1 / 0.2) * 64 / 100));
}

TEST_CASE("each number format is multiplied on its own path") {
  const auto peak = [](FormatClass format, const char* family) {
    auto work = round_work();
    work.format = format;
    work.format_family = family;
    return matrix_peak(round_card(), work).in(TFLOP_per_s);
  };
  CHECK(peak(FormatClass::f32, "float") == Approx(25));
  CHECK(peak(FormatClass::f16, "float") == Approx(200));
  CHECK(peak(FormatClass::f16, "gguf") == Approx(400));
  CHECK(peak(FormatClass::bf16, "gguf") == Approx(200));
  CHECK(peak(FormatClass::f8, "fp8") == Approx(1600));
  CHECK(peak(FormatClass::f4, "nvfp4") == Approx(3200));
  CHECK(peak(FormatClass::f4, "gguf") == Approx(800));
  CHECK(peak(FormatClass::k_quant_4, "gguf") == Approx(800));
  CHECK(peak(FormatClass::gptq, "gptq") == Approx(200));
}

// 100 W of 200 at 25 TFLOP/s are 4 W for each, half of the usual 8: with exponents of 1 and 2 a half and a quarter.
TEST_CASE("watts below the usual, or below the board's, slow arithmetic and memory by their exponents") {
  auto card = round_card();
  auto constants = round_constants();
  constants.power_arithmetic = 1;
  constants.power_bandwidth = 2;
  CHECK(power_factors(card, constants).arithmetic == Approx(1));
  CHECK(power_factors(card, constants).bandwidth == Approx(1));
  card.power_cap = 100 * watt;
  CHECK(power_factors(card, constants).arithmetic == Approx(0.5));
  CHECK(power_factors(card, constants).bandwidth == Approx(0.25));
  card.power_cap = 300 * watt;  // a cap above the board's power is none
  CHECK(power_factors(card, constants).bandwidth == Approx(1));
  card.board_power = Watts{};
  CHECK(power_factors(card, constants).arithmetic == Approx(1));
}

// 1,024 wide matrices have a quarter of the usual tiles: half full at 64 x sqrt(4) = 128 rows instead of 64.
TEST_CASE("narrow models need more rows to fill a card") {
  auto work = round_work();
  work.hidden = 1024;
  CHECK(prefill_weight_pass(work, round_card(), round_constants(), 512, 1, 1).multiply.in(ms) ==
        Approx(2 * 0.9 * (512 + 128) / 100));
  auto large = round_card();
  large.matrix16 = 800 * TFLOP_per_s;  // and a card of four times the usual rate twice as many again
  CHECK(prefill_weight_pass(work, large, round_constants(), 512, 1, 1).multiply.in(ms) == Approx(2 * 0.9 * (512 + 256) / 400));
}

// Kernels that use a weight again for nothing: 2 x 0.9e9 / 25 T = 0.072 ms up to 63 rows; matrix kernels at 64 rows
// 2 x 0.9e9 x (64 + 128) / 400 T = 0.864 ms.
TEST_CASE("matrix-vector kernels end at 64 rows") {
  auto work = round_work();
  work.format = FormatClass::int8_block;
  work.format_family = "gguf";
  auto constants = round_constants();
  constants.small_rows_operations = 0;
  CHECK(prefill_weight_pass(work, round_card(), constants, 63, 1, 1).multiply.in(ms) == Approx(0.072));
  CHECK(prefill_weight_pass(work, round_card(), constants, 64, 1, 1).multiply.in(ms) == Approx(0.864));
  // At 9 rows the quicker of the two, 2 x 0.9e9 x (9 + 128) / 400 T against 0.9e9 x (2 + 8 x 4) / 25 T.
  CHECK(prefill_weight_pass(work, round_card(), round_constants(), 9, 1, 1).multiply.in(ms) == Approx(0.6165));
}

// Two of eight experts of 1e9 weights, four rows, on GGUF: 1 + 4 x 0.6836 are unpacked, 4 x (1 + 1) used, the rest of them again.
TEST_CASE("weights of experts are used again by the rows that share them") {
  auto work = round_work();
  work.format = FormatClass::k_quant_4;
  work.format_family = "gguf";
  work.routed_experts = 8;
  work.active_share = 0.25;
  work.routed_weights = 4 * GB;
  work.routed_values = 4e9;
  const double values = 1 + 4 * (1 - std::pow(0.75, 4));
  CHECK(decode_weight_pass(work, round_card(), round_constants(), 4, 1, 1).unpack.in(ms) ==
        Approx((values * 2 + (4 * 2 - values) * 4) / 25));
  // One row uses nothing again.
  CHECK(decode_weight_pass(work, round_card(), round_constants(), 1, 1, 1).unpack.in(ms) == Approx(2 * 2 / 25.0));
}

// 50 operations for each of 1e9 weights over 25 TFLOP/s take the 2 ms of reading: together 2 x 2^(1/4); with products of as long
// as both by the third power, 2.3784 x 2^(1/3).
TEST_CASE("reading, unpacking and multiplying overlap nearly wholly") {
  auto constants = round_constants();
  constants.unpack_operations = 50;
  CHECK(decode_weight_pass(round_work(), round_card(), constants, 1, 1, 1).total.in(ms) == Approx(2.3784).epsilon(1e-4));
  constants.batch_share = 0.01 / 2.3784;
  CHECK(decode_weight_pass(round_work(), round_card(), constants, 1, 1, 1).total.in(ms) ==
        Approx(2.3784 * 1.259921).epsilon(1e-4));
}
