// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "catalog/entry_reader.h"
#include "rigplan/json/json_file.h"

namespace rigplan {

/// Refuses an id that is not made of lower-case letters, digits and "-._", or that this file has already used.
void check_id(const JsonFile& file, Cursor id, std::map<std::string, Cursor, std::less<>>& seen);

/// Reads an array of entries: new ones are appended, those whose id is known are laid over the entry read before.
/// @param read_fields void(EntryReader&, T&)
template <class T, class ReadFields>
void read_shelf(const JsonFile& file, Cursor array, const SourceTable& sources, std::vector<T>& entries, ReadFields read_fields) {
  std::map<std::string, Cursor, std::less<>> seen;
  std::map<std::string, std::size_t, std::less<>> known;
  for (std::size_t i = 0; i < entries.size(); ++i) known.emplace(entries[i].id, i);
  const auto elements = array.elements();
  entries.reserve(entries.size() + elements.size());
  for (const auto& at : elements) {
    const auto id = ObjectReader{at}.required("id");
    check_id(file, id, seen);
    const auto before = known.find(id.text());
    T entry = before == known.end() ? T{} : entries[before->second];
    EntryReader reader{at, sources, entry, file.name()};
    read_fields(reader, entry);
    reader.finish();
    if (before == known.end())
      entries.push_back(std::move(entry));
    else
      entries[before->second] = std::move(entry);
  }
}

}  // namespace rigplan
