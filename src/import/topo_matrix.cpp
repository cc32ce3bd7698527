// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "import/link_text.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

bool is_card(std::string_view word) {
  return word.starts_with("GPU") && word.size() > 3 && read_whole(word.substr(3)).has_value();
}

/// "GPU0 X NV4 ..." below a header line "GPU0 GPU1 ...": the cells of one matrix.
struct TagMatrix {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> cells;
  std::vector<int> numa;  ///< -1: not stated
};

/// The words of a line that name a domain: a number behind the affinity column, as nvidia-smi prints it.
int numa_of(const std::vector<std::string_view>& words, std::size_t cards) {
  for (std::size_t i = 1 + cards; i + 1 <= words.size(); ++i)
    if (words[i].find_first_not_of("0123456789") == std::string_view::npos && i >= 2 + cards)
      if (const auto number = read_whole(words[i])) return static_cast<int>(std::clamp<long long>(*number, 0, 63));
  return -1;
}

/// The first matrix at or behind line `at`; `at` then stands behind it.
TagMatrix read_matrix(const std::vector<std::string_view>& lines, std::size_t& at) {
  TagMatrix matrix;
  for (; at < lines.size(); ++at) {
    const auto words = split_words(lines[at]);
    if (words.empty() || words.front().starts_with("#")) {
      if (!matrix.cells.empty()) break;
      continue;
    }
    const bool header = is_card(words.front()) &&
                        (words.size() == 1 || is_card(words[1]) || words[1] == "CPU" || words[1].starts_with("NIC") ||
                         words[1].starts_with("CPU-")) &&
                        matrix.names.empty();
    if (header) {
      for (const auto word : words)
        if (is_card(word)) matrix.names.emplace_back(word);
    } else if (!matrix.names.empty() && is_card(words.front()) && words.size() > matrix.names.size()) {
      matrix.cells.emplace_back(words.begin() + 1, words.begin() + 1 + static_cast<std::ptrdiff_t>(matrix.names.size()));
      matrix.numa.push_back(numa_of(words, matrix.names.size()));
      if (matrix.cells.size() == matrix.names.size()) {
        ++at;
        break;
      }
    } else if (!matrix.cells.empty()) {
      break;
    }
  }
  return matrix;
}

void check(const std::string& name, const TagMatrix& matrix, std::size_t line, std::string_view expected) {
  if (matrix.names.empty() || matrix.cells.size() != matrix.names.size())
    throw DataError{{name, static_cast<int>(line), {}},
                    fmt::format("{} rows for {} cards; expected {}", matrix.cells.size(), matrix.names.size(), expected)};
  if (matrix.names.size() > 1024)
    throw DataError{{name, static_cast<int>(line), {}}, msg("more than 1,024 cards in one machine")};
}

void add_cards(ImportedMachine& machine, const TagMatrix& matrix) {
  std::set<int> domains(matrix.numa.begin(), matrix.numa.end());
  for (const int numa : domains) machine.domains.push_back({{}, -1, -1, numa});
  for (std::size_t i = 0; i < matrix.names.size(); ++i) {
    ImportedDevice card;
    card.kind = ImportedKind::gpu;
    card.bus = matrix.names[i];
    card.domain = static_cast<int>(std::distance(domains.begin(), domains.find(matrix.numa[i])));
    machine.devices.push_back(std::move(card));
  }
  machine.labels = matrix.cells;
  machine.questions.push_back({"cards", msg("the matrix does not say which cards these are")});
  machine.questions.push_back({"links", msg("the matrix gives tiers, neither speed nor width: import `lspci -vvv` beside it")});
}

void ask_for_more(ImportedMachine& machine, const std::vector<std::string_view>& lines, std::size_t at) {
  const bool more = std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(std::min(at, lines.size())), lines.end(),
                                [](std::string_view line) {
                                  const auto words = split_words(line);
                                  return words.size() > 1 && is_card(words[0]) && is_card(words[1]);
                                });
  if (more) machine.questions.push_back({"file", msg("the text holds more matrices; only the first was read")});
}

}  // namespace

ImportedMachine import_nvidia_smi_topo(const std::string& name, std::string_view bytes) {
  const auto lines = split_lines(bytes);
  std::size_t at = 0;
  const auto matrix = read_matrix(lines, at);
  check(name, matrix, at, msg("the matrix of `nvidia-smi topo -m`"));
  ImportedMachine machine;
  machine.format = "nvidia-smi topo";
  add_cards(machine, matrix);
  for (std::size_t a = 0; a < matrix.cells.size(); ++a)
    for (std::size_t b = 0; b < matrix.cells.size(); ++b) {
      const std::string_view label = matrix.cells[a][b];
      if (a == b || !label.starts_with("NV")) continue;
      if (const auto links = read_whole(label.substr(2)))
        machine.devices[a].peers.push_back(
            {PeerLinkKind::nvlink, matrix.names[b], static_cast<int>(std::clamp<long long>(*links, 0, 64)), false, {}});
    }
  ask_for_more(machine, lines, at);
  return machine;
}

ImportedMachine import_rocm_smi_topo(const std::string& name, std::string_view bytes) {
  const auto lines = split_lines(bytes);
  ImportedMachine machine;
  machine.format = "rocm-smi topo";
  TagMatrix types, weights;
  std::size_t after = 0;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (lines[at].find("Link Type between two GPUs") != std::string_view::npos && types.names.empty())
      types = read_matrix(lines, ++at), after = at;
    else if (lines[at].find("Weight between two GPUs") != std::string_view::npos && weights.names.empty())
      weights = read_matrix(lines, ++at), --at;
  }
  check(name, types, lines.size(), msg("the tables of `rocm-smi --showtopo`, with \"Link Type between two GPUs\""));
  add_cards(machine, types);
  for (std::size_t a = 0; a < types.cells.size(); ++a)
    for (std::size_t b = 0; b < types.cells.size(); ++b) {
      if (a != b && types.cells[a][b] == "XGMI")
        machine.devices[a].peers.push_back({PeerLinkKind::xgmi, types.names[b], 0, false, {}});
      // 72 is the weight of a way over the link between sockets; the table does not number them.
      if (a < b && weights.cells.size() == types.cells.size() && weights.cells[a][b] == "72")
        machine.labels[a][b] = machine.labels[b][a] = "SYS";
    }
  machine.questions.push_back({"peers", msg("the tables do not show whether peers reach each other's memory")});
  ask_for_more(machine, lines, after);
  return machine;
}

}  // namespace rigplan
