// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/busy.h"
#include "cli/terminal.h"
#include "rigplan/catalog/catalog.h"
#include "rigplan/workload/model_library.h"

namespace rigplan {

/// The command line is wrong: which option, what is wrong, how to mend it.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Options that every command understands.
struct GlobalOptions {
  std::vector<std::string> catalog_paths;  ///< files or folders laid over the built-in catalog, in order
  std::vector<std::string> overrides;      ///< "gpus.mi50-32gb.price=900 yuan"
  std::vector<std::string> exchange;       ///< "USD=7.2"
  std::string as_of;                       ///< date; empty: the catalog's own
  std::optional<int> max_price_age_days;
  bool quiet = false;  ///< no notes and no progress on stderr
  ScreenOptions screen;
  std::string config;  ///< file of options; read before the command line is
  bool print_config = false;
  std::string lang;  ///< chosen before the command line is read; empty: the locale's
};

/// What a command works with: the catalog under the given options, and where its answer goes.
class Session {
 public:
  explicit Session(GlobalOptions options) : options_{std::move(options)}, busy_{!options_.quiet} {}

  const GlobalOptions& options() const { return options_; }
  /// Read when first asked for. @throws DataError, UsageError
  const Catalog& catalog() const;
  /// The files behind the catalog, built in first, then the user's.
  std::vector<CatalogFile> catalog_files() const;
  /// The catalog of these files, under the options for changes, exchange rates and prices.
  Catalog catalog_of(std::span<const CatalogFile> files) const;
  /// The catalog with these changes behind those of the options. Touches nothing that threads share.
  Catalog catalog_with(const std::vector<Override>& changes) const;
  /// The user's files, of the catalog and of models.
  std::vector<CatalogFile> overlay_files() const;
  /// The model shapes, with the user's files of models laid over them.
  ModelLibrary& models() const;

  /// What an answer for people is written to.
  Screen screen() const { return screen_of(options_.screen); }
  /// Writes the answer to stdout. @throws OutputError when it cannot be written.
  void print(std::string_view text) const;
  /// A text for people, with lines that are too long for the screen folded.
  std::string fitted(std::string_view text) const { return folded(text, screen()); }
  /// Something else says from now on how far the work is.
  void work_is_shown() const { busy_.stop(); }
  /// A remark for people, on stderr.
  void note(std::string_view text) const;

 private:
  GlobalOptions options_;
  Catalog read(std::span<const CatalogFile> files, const std::vector<Override>& changes) const;

  mutable Busy busy_;
  mutable std::optional<Catalog> catalog_;
  mutable std::optional<ModelLibrary> models_;
};

/// Standard output or a file cannot be written. `reader_left` is set when the reader of a pipe went away: no error to report.
struct OutputError : std::runtime_error {
  OutputError(const std::string& what, bool reader_has_left) : std::runtime_error{what}, reader_left{reader_has_left} {}
  bool reader_left;
};

/// The JSON files at `path`: itself, or those of a folder and the folders below it, by name.
std::vector<std::string> json_files_at(const std::string& path);
/// The bytes of a file; "-" is standard input. @throws DataError when it cannot be read or is larger than 256 MiB.
std::string read_file(const std::string& path);
/// Writes behind what a file holds; makes it where there is none. @throws OutputError
void append_file(const std::string& path, std::string_view text);
/// Writes a file whole or not at all: to a neighbour first, then renamed. "-" is standard output. @throws OutputError
void write_file(const std::string& path, std::string_view text);

}  // namespace rigplan
