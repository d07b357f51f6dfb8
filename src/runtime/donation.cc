// SPDX-License-Identifier: Apache-2.0
#include "runtime/donation.h"

#include <map>

namespace axle::runtime {

std::vector<Donation> DonationsOf(const hlo::Module& module) {
  std::map<int, Donation> by_parameter;
  for (const hlo::BufferDonor& donor : module.config.donors) {
    const int parameter = static_cast<int>(donor.parameter);
    by_parameter[parameter] = {.parameter = parameter};
  }
  for (const hlo::InputOutputAlias& alias : module.config.aliases) {
    const int parameter = static_cast<int>(alias.parameter);
    const int result = alias.output_index.empty() ? 0 : static_cast<int>(alias.output_index[0]);
    by_parameter[parameter] = {parameter, result, alias.kind == hlo::AliasKind::kMust};
  }
  std::vector<Donation> donations;
  for (const auto& [parameter, donation] : by_parameter) donations.push_back(donation);
  return donations;
}

}  // namespace axle::runtime
