// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

enum class Vendor { amd, nvidia, intel, huawei, moore_threads, other };

/// Peak arithmetic rates, all dense (never with structured sparsity). Empty: the chip has no such path, or it is unknown.
struct PeakRates {
  std::optional<FlopRate> fp32, fp16_vector;
  std::optional<FlopRate> fp16_matrix;                  ///< matrix units, fp32 accumulation
  std::optional<FlopRate> fp16_matrix_fp16_accumulate;  ///< where it differs (GeForce)
  std::optional<FlopRate> bf16_matrix, int8, fp8, fp4;
};

struct PcieLink {
  int generation = 0;  ///< 1 to 7
  int lanes = 0;
  bool operator==(const PcieLink&) const = default;
};

enum class PeerLinkKind { nvlink, xgmi };
/// How a card reaches its peers beside PCIe.
enum class PeerFabric { bridge, mesh, switched };

struct PeerPorts {
  PeerLinkKind kind{};
  PeerFabric fabric{};
  int generation = 0;  ///< NVLink or xGMI generation; 0 where it is not known
  int links = 0;
  Bandwidth per_link;  ///< each way
  int max_cards = 0;   ///< cards in one bridged or switched group; 0: unknown
};

enum class Cooling { unknown, passive, blower, open, liquid };
enum class CardForm { pcie, sxm, oam, other };
enum class PeerOverPcie { no, yes, unknown };

/// A graphics card or accelerator, as sold. A card with another memory size or memory clock is another Gpu.
struct Gpu : Entry {
  Vendor vendor{};
  std::string architecture;  ///< id of an Architecture: "gfx906", "sm_86"
  std::string chip;          ///< "Vega 20"
  std::string released;      ///< date
  Bytes vram;
  std::string memory_type;  ///< "HBM2", "GDDR6X"
  Bandwidth vram_bandwidth;
  std::optional<Bytes> l2, last_level_cache;  ///< Infinity Cache counts as the latter
  PeakRates peaks;
  std::optional<Watts> board_power;
  std::optional<Watts> idle_power;
  std::optional<PcieLink> pcie;
  CardForm form{};
  double slot_width = 0;  ///< in slots; 0: unknown
  double length_mm = 0;   ///< 0: unknown
  int power_8pin = 0, power_6pin = 0, power_12vhpwr = 0, power_eps = 0;
  bool display_outputs = false;
  Cooling cooling{};
  std::optional<PeerPorts> peer_ports;  ///< NVLink or xGMI connectors
  PeerOverPcie peer_over_pcie = PeerOverPcie::unknown;
  std::vector<std::string> warnings;  ///< codes that go with the card itself: "W_VBIOS"
  bool disputed = false;              ///< a claim that sources contradict; never recommended without saying so
};

/// What all chips of one architecture share, and what calibration groups by.
struct Architecture : Entry {
  Vendor vendor{};
  std::string family;  ///< "gcn", "cdna", "rdna3", "pascal", "ampere", "blackwell"
  bool matrix_units = false;
  bool native_bf16 = false, native_fp8 = false, native_fp4 = false;
  bool fast_fp16 = true;              ///< false where fp16 runs at 1/64 of fp32
  double peer_read_share = 0;         ///< what reading a peer's memory over PCIe gets of the way's payload rate; 0: not measured
  Bytes driver_context;               ///< memory that driver and runtime hold on each card
  std::vector<std::string> warnings;  ///< "W_ROCM_EOL"
};

}  // namespace rigplan
