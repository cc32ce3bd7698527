// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/catalog/gpu.h"
#include "rigplan/topology/rig.h"

namespace rigplan {

enum class ImportedKind { bridge, gpu, nic, other };

/// Peer links of one card as a file states them: `count` bonded links to the device at `target`.
struct ImportedPeer {
  PeerLinkKind kind{};
  std::string target;  ///< bus id, or the index of a card where the format has no bus ids
  int count = 0;       ///< 0: not stated
  bool to_switch = false;
  Bandwidth rate;  ///< where the format states the rate of all links together, one way
};

/// A device of the PCIe tree, or a card of a matrix.
struct ImportedDevice {
  ImportedKind kind{};
  std::string bus;                ///< "0000:1d:00.0"
  int parent = -1;                ///< index of the bridge above; -1: a root port
  int domain = 0;                 ///< index into ImportedMachine::domains
  std::string name;               ///< as the tool calls it
  std::string architecture;       ///< "gfx906", "sm_90"; empty: not stated
  std::string pci_id;             ///< "10de:1db8"
  std::optional<int> generation;  ///< of the upstream link, as seen
  std::optional<int> lanes;
  std::optional<PcieLink> able;      ///< what the device itself can do (LnkCap)
  bool downgraded = false;           ///< the tool itself says so
  std::optional<Bytes> bar;          ///< its largest memory window
  std::optional<bool> acs_redirect;  ///< of a bridge
  std::vector<ImportedPeer> peers;
  double network_rate_mbit = 0;  ///< of a NIC
};

/// A NUMA domain.
struct ImportedDomain {
  std::string vendor;  ///< "AuthenticAMD"; empty: not stated
  int family = -1, model = -1;
  int numa = -1;
};

/// What a file could not say, or says against the catalog.
struct Question {
  std::string subject;
  std::string text;
  bool operator==(const Question&) const = default;
};

/// A machine as a foreign tool describes it.
struct ImportedMachine {
  std::string format;
  std::vector<ImportedDomain> domains;
  std::vector<ImportedDevice> devices;           ///< a bridge stands before what is below it
  std::vector<std::vector<std::string>> labels;  ///< of a matrix: "PIX", "NV4", "XGMI"; by card
  std::vector<Question> questions;
  int unknown_tags = 0;
  bool guest = false;  ///< read inside a virtual machine, which shows its own windows and links

  std::vector<int> indices_of(ImportedKind kind) const;
};

/// A rig with a board of its own, made of an imported machine, and everything that a person must answer or check.
struct ImportedRig {
  Rig rig;
  std::vector<Question> questions;
};

/// Cards are found in the catalog by name, then by architecture; a card that fits several entries is a question, and one that
/// fits none is called "unknown". @param gpu  catalog id of all cards, where the reader knows better; empty: as found
ImportedRig to_rig(const ImportedMachine& machine, const Catalog& catalog, const std::string& gpu = {});

}  // namespace rigplan
