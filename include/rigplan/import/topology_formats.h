// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "rigplan/import/machine.h"

namespace rigplan {

// Each reads the bytes of one foreign file; `name` is for messages. @throws DataError when the bytes are something else.

/// The XML that NCCL and RCCL write with NCCL_TOPO_DUMP_FILE; a graph file gives its cards and a question.
ImportedMachine import_nccl_xml(const std::string& name, std::string_view bytes);
/// The XML of `lstopo --of xml`, versions 2 and 3.
ImportedMachine import_hwloc_xml(const std::string& name, std::string_view bytes);
/// The matrix of `nvidia-smi topo -m`.
ImportedMachine import_nvidia_smi_topo(const std::string& name, std::string_view bytes);
/// The tables of `rocm-smi --showtopo`.
ImportedMachine import_rocm_smi_topo(const std::string& name, std::string_view bytes);
/// The text of `lspci -vvv`.
ImportedMachine import_lspci(const std::string& name, std::string_view bytes);

}  // namespace rigplan
