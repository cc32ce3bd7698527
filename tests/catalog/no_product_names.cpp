// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "rigplan/catalog/catalog.h"
#include "rigplan/workload/model_library.h"

using namespace rigplan;

/// The texts between double quotes in a C++ source, comments left out. Good enough for sources without multi-line literals.
static std::vector<std::string> literals(const std::string& source) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source.compare(at, 2, "//") == 0)
      at = std::min(source.find('\n', at), source.size());
    else if (source.compare(at, 2, "/*") == 0)
      at = std::min(source.find("*/", at), source.size());
    else if (source[at] == '\'' && at > 0 && !std::isalnum(static_cast<unsigned char>(source[at - 1])))
      at = source.find('\'', at + 2);
    else if (source[at] == '"') {
      std::string text;
      for (++at; at < source.size() && source[at] != '"'; ++at) text += source[at] == '\\' ? source[++at] : source[at];
      found.push_back(text);
    }
    if (at == std::string::npos) break;
  }
  return found;
}

static std::set<std::string> product_names() {
  std::set<std::string> names;
  const auto add = [&](const auto& entries) {
    for (const auto& entry : entries) {
      names.insert(entry.id);
      names.insert(entry.name);
      names.insert(entry.aliases.begin(), entry.aliases.end());
    }
  };
  const auto catalog = read_catalog(built_in_catalog_files());
  add(catalog.gpus.entries);
  add(catalog.boards.entries);
  add(catalog.cpus.entries);
  add(catalog.parts.entries);
  return names;
}

static std::set<std::string> model_names() {
  std::set<std::string> names;
  ModelLibrary models;
  for (const auto& model : models.entries()) {
    names.insert(model.id);
    names.insert(model.aliases.begin(), model.aliases.end());
  }
  return names;
}

TEST_CASE("literals are found, comments are not") {
  CHECK(literals("f(\"a\", 'x', \"b \\\" c\");  // \"d\"\n/* \"e\" */ \"f\"") == std::vector<std::string>{"a", "b \" c", "f"});
}

TEST_CASE("no product of the catalog is named in a source: cards, boards, parts and models are data only") {
  const auto names = product_names(), models = model_names();
  CHECK(names.count("p40") == 1);
  CHECK(models.count("qwen2.5-7b") == 1);
  for (const auto* folder : {"src", "include"}) {
    for (const auto& at : std::filesystem::recursive_directory_iterator{folder}) {
      const auto extension = at.path().extension();
      if (extension != ".cpp" && extension != ".h") continue;
      std::ifstream file{at.path(), std::ios::binary};
      for (const auto& text : literals({std::istreambuf_iterator<char>{file}, {}})) {
        INFO(at.path().string() << ": \"" << text << "\"");
        CHECK(names.count(text) == 0);
        // Foreign formats name kinds of models ("gpt2") as part of their vocabulary.
        if (at.path().string().find("import") == std::string::npos) CHECK(models.count(text) == 0);
      }
    }
  }
}
