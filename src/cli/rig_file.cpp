// SPDX-License-Identifier: Apache-2.0
#include "cli/rig_file.h"

#include "rigplan/json/cursor.h"
#include "rigplan/json/json_file.h"

namespace rigplan {

Rig read_rig_file(const Session& session, const std::string& path) {
  const auto file = JsonFile::parse(path, read_file(path), JsonComments::allowed);
  auto rig = read_rig(Cursor{file}, session.catalog());
  if (rig.name.empty()) rig.name = path;
  return rig;
}

}  // namespace rigplan
