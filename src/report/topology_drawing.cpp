// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "rigplan/report/topology.h"
#include "rigplan/units/format.h"

namespace rigplan {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  return result;
}

std::string caption(const Device& device) {
  if (device.gpu == nullptr) return device.label;
  return device.label + " " + (device.gpu->name.empty() ? device.gpu->id : device.gpu->name);
}

/// Calls `edge(kind, link)` for one direction of every connection between two devices; memory and the network are left out.
void each_edge(const NodeGraph& node, const std::function<void(const Link&)>& edge) {
  for (std::size_t id = 0; id < node.links.size(); ++id) {
    const auto& link = node.links[id];
    const bool first = static_cast<LinkId>(id) < link.reverse;
    if (first && link.from >= 0 && link.to >= 0) edge(link);
  }
}

struct Box {
  int column = 0, row = 0;
};

/// Leaves side by side, each parent over the middle of what hangs below it.
class Layout {
 public:
  explicit Layout(const NodeGraph& node) : node_{node}, boxes_(node.devices.size(), Box{-1, 0}) {
    for (std::size_t d = 0; d < node.devices.size(); ++d)
      if (node.devices[d].kind == DeviceKind::socket) place(static_cast<int>(d), 0);
    for (std::size_t d = 0; d < node.devices.size(); ++d)
      if (node.devices[d].kind == DeviceKind::peer_switch) boxes_[d] = {next_ / 2, deepest_ + 1}, rows_ = deepest_ + 2;
  }
  const Box& box(int d) const { return boxes_[static_cast<std::size_t>(d)]; }
  int columns() const { return std::max(next_, 2); }  ///< in half boxes
  int rows() const { return std::max(rows_, deepest_ + 1); }

 private:
  void place(int d, int row) {
    deepest_ = std::max(deepest_, row);
    int first = -1, last = -1;
    for (std::size_t c = 0; c < node_.devices.size(); ++c)
      if (node_.upward[c] >= 0 && node_.links[static_cast<std::size_t>(node_.upward[c])].to == d) {
        place(static_cast<int>(c), row + 1);
        last = boxes_[c].column;
        if (first < 0) first = last;
      }
    if (first < 0) {
      boxes_[static_cast<std::size_t>(d)] = {next_, row};
      next_ += 2;
    } else {
      boxes_[static_cast<std::size_t>(d)] = {(first + last) / 2, row};
    }
  }
  const NodeGraph& node_;
  std::vector<Box> boxes_;
  int next_ = 0, deepest_ = 0, rows_ = 0;
};

constexpr int half_width = 110, row_height = 90, box_width = 200, box_height = 34;

std::string svg_of(const NodeGraph& node, const RigNode& place, int top) {
  const Layout layout{node};
  const auto x = [&](int d) { return 20 + layout.box(d).column * half_width + box_width / 2; };
  const auto y = [&](int d) { return top + 40 + layout.box(d).row * row_height + box_height / 2; };
  std::string text = fmt::format("<text x=\"20\" y=\"{}\" font-weight=\"bold\">{}{}</text>\n", top + 20,
                                 place.count > 1 ? fmt::format("{} x ", place.count) : "", escaped(place.id));
  each_edge(node, [&](const Link& link) {
    if (layout.box(link.from).column < 0 || layout.box(link.to).column < 0) return;
    const char* colour = link.kind == LinkKind::pcie ? "#888" : link.kind == LinkKind::socket ? "#c60" : "#080";
    text += fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"2\"><title>{}, {}</title></line>\n",
        x(link.from), y(link.from), x(link.to), y(link.to), colour, escaped(link.label), to_text(link.bandwidth));
    if (link.kind == LinkKind::pcie)
      text += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"10\" text-anchor=\"middle\">{}</text>\n", x(link.from),
                          y(link.from) - box_height / 2 - 4, escaped(to_text(link.bandwidth)));
  });
  for (std::size_t i = 0; i < node.devices.size(); ++i) {
    const int d = static_cast<int>(i);
    if (layout.box(d).column < 0) continue;
    const char* fill = node.devices[i].kind == DeviceKind::card     ? "#dfe"
                       : node.devices[i].kind == DeviceKind::socket ? "#fed"
                                                                    : "#eef";
    text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\" stroke=\"#444\"/>\n",
                        x(d) - box_width / 2, y(d) - box_height / 2, box_width, box_height, fill);
    text += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\">{}</text>\n", x(d), y(d) + 4,
                        escaped(caption(node.devices[i])));
  }
  return text;
}

}  // namespace

std::string topology_dot(const RigGraph& graph) {
  std::string text = "graph rig {\n  node [shape=box];\n";
  for (std::size_t k = 0; k < graph.kinds.size(); ++k) {
    const auto& node = graph.kinds[k];
    const auto& place = graph.rig.nodes[k];
    text += fmt::format("  subgraph cluster_{} {{\n    label=\"{}{}\";\n", k,
                        place.count > 1 ? fmt::format("{} x ", place.count) : "", escaped(place.id));
    for (std::size_t d = 0; d < node.devices.size(); ++d)
      if (node.devices[d].kind != DeviceKind::memory)
        text += fmt::format("    n{}_{} [label=\"{}\"];\n", k, d, escaped(caption(node.devices[d])));
    each_edge(node, [&](const Link& link) {
      text += fmt::format("    n{}_{} -- n{}_{} [label=\"{}\\n{}\"];\n", k, link.to, k, link.from, escaped(link.label),
                          to_text(link.bandwidth));
    });
    text += "  }\n";
  }
  return text + "}\n";
}

std::string topology_mermaid(const RigGraph& graph) {
  std::string text = "graph TD\n";
  for (std::size_t k = 0; k < graph.kinds.size(); ++k) {
    const auto& node = graph.kinds[k];
    const auto& place = graph.rig.nodes[k];
    text +=
        fmt::format("  subgraph s{}[\"{}{}\"]\n", k, place.count > 1 ? fmt::format("{} x ", place.count) : "", escaped(place.id));
    for (std::size_t d = 0; d < node.devices.size(); ++d)
      if (node.devices[d].kind != DeviceKind::memory)
        text += fmt::format("    n{}_{}[\"{}\"]\n", k, d, escaped(caption(node.devices[d])));
    each_edge(node, [&](const Link& link) {
      text += fmt::format("    n{}_{} ---|\"{}, {}\"| n{}_{}\n", k, link.to, escaped(link.label), to_text(link.bandwidth), k,
                          link.from);
    });
    text += "  end\n";
  }
  return text;
}

std::string topology_svg(const RigGraph& graph) {
  std::string body;
  int top = 0, width = 200;
  for (std::size_t k = 0; k < graph.kinds.size(); ++k) {
    const Layout layout{graph.kinds[k]};
    body += svg_of(graph.kinds[k], graph.rig.nodes[k], top);
    top += 60 + layout.rows() * row_height;
    width = std::max(width, 60 + layout.columns() * half_width + box_width / 2);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\">\n{}</svg>\n", width, top,
      body);
}

}  // namespace rigplan
