// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/copy_time.h"

#include <cmath>
#include <string>
#include <vector>

namespace rigplan {

Bandwidth copy_bandwidth(const CopyLink& link, const Calibration& calibration) {
  const auto kind = link.host ? std::string{"link:host"} : "link:" + std::string{to_text(link.kind)};
  std::vector<std::string> levels{kind, "arch:" + link.architecture};
  if (link.old_host && !link.host) levels.push_back(kind + "|host:pcie3");
  if (link.host && link.to_card) levels.push_back("link:host|to:card");
  double efficiency = calibration.value("copy_efficiency", levels);
  if (link.direction == CopyDirection::both_ways) efficiency *= calibration.value("copy_both_ways", levels);
  if (link.direction == CopyDirection::read) efficiency *= calibration.value("copy_read", levels);
  if (link.virtual_machine) efficiency *= calibration.value("copy_virtual_machine", levels);
  if (link.all_at_once) efficiency *= calibration.value("copy_all_at_once", levels);
  if (link.kernel_copy) efficiency *= calibration.value("copy_by_kernel", levels);
  if (link.hops > 1) efficiency *= std::pow(calibration.value("copy_hop", levels), link.hops - 1);
  return efficiency * link.nominal;
}

}  // namespace rigplan
