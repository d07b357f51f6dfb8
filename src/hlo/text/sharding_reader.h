// SPDX-License-Identifier: Apache-2.0
// Shardings, and the lists of devices that they share with replica groups.
#ifndef AXLE_HLO_TEXT_SHARDING_READER_H_
#define AXLE_HLO_TEXT_SHARDING_READER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hlo/attribute_values.h"
#include "hlo/text/reader.h"

namespace axle::hlo::text {

absl::StatusOr<Sharding> ReadSharding(Reader& reader);

// "[4,2]T(1,0)", the part of an iota list of devices behind its "<=". The permutation stays empty
// when it is the identity.
absl::Status ReadIota(Reader& reader, std::vector<int64_t>& reshape_dims,
                      std::vector<int64_t>& transpose_perm);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_SHARDING_READER_H_
