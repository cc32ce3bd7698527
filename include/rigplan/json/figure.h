// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

/// How a figure came to be known.
enum class FigureKind {
  quoted,    ///< a datasheet, a listing or a report states it
  measured,  ///< somebody measured it
  inferred,  ///< computed or general knowledge; not read anywhere
};
std::string_view to_text(FigureKind);

/// Where a figure was found.
struct Source {
  std::string where;  ///< URL or name of a document
  std::string date;   ///< "2026-02-07", "2026-02" or "2026"; empty: undated
  bool operator==(const Source&) const = default;
};

/// What another source says of the same field.
struct OtherFigure {
  std::string value;
  FigureKind kind = FigureKind::quoted;
  std::vector<Source> sources;
  bool operator==(const OtherFigure&) const = default;
};

/// One field of a catalog entry as its file states it. Formulas never see it; reports look it up by field name.
struct Figure {
  std::string field;  ///< the key in the file: "vram_bandwidth"
  std::string value;  ///< the text in the file: "1020 GB/s"
  FigureKind kind = FigureKind::quoted;
  std::vector<Source> sources;
  std::vector<OtherFigure> also;  ///< conflicting statements stay visible
  bool operator==(const Figure&) const = default;
};

/// What every catalog entry has.
struct Entry {
  std::string id;
  std::string name;
  std::vector<std::string> aliases;
  std::vector<Figure> figures;     ///< every field with its source, in file order
  std::vector<std::string> notes;  ///< one sentence each
  std::string file;                ///< the file it was read from: "data/gpus/vega20.json"
  int overlays = 0;                ///< how many user files or --set options changed it
};

/// The figure called `field`, or nullptr.
const Figure* find_figure(const Entry&, std::string_view field);

}  // namespace rigplan
