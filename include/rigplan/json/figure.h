// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
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

/// Sources of a figure. Most entries state one source for all their fields: it is kept once and pointed to by all of them.
class Sources {
 public:
  Sources() = default;
  explicit Sources(std::vector<Source> all) : all_{std::make_shared<const std::vector<Source>>(std::move(all))} {}
  const std::vector<Source>& all() const { return all_ ? *all_ : none; }
  operator const std::vector<Source>&() const { return all(); }
  bool empty() const { return all().empty(); }
  bool operator==(const Sources& other) const { return all() == other.all(); }

 private:
  static const std::vector<Source> none;
  std::shared_ptr<const std::vector<Source>> all_;
};

/// What another source says of the same field.
struct OtherFigure {
  std::string value;
  FigureKind kind = FigureKind::quoted;
  Sources sources;
  bool operator==(const OtherFigure&) const = default;
};

/// One field of a catalog entry as its file states it. Formulas never see it; reports look it up by field name.
struct Figure {
  std::string field;  ///< the key in the file: "vram_bandwidth"
  std::string value;  ///< the text in the file: "1020 GB/s"
  FigureKind kind = FigureKind::quoted;
  Sources sources;
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
