// SPDX-License-Identifier: Apache-2.0
// The attributes behind an instruction's operands: ", key=value, key=value".
#ifndef AXLE_HLO_TEXT_ATTRIBUTE_READER_H_
#define AXLE_HLO_TEXT_ATTRIBUTE_READER_H_

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hlo/text/draft.h"
#include "hlo/text/reader.h"

namespace axle::hlo::text {

// Reads a computation that stands in braces in place of its name.
using InlineComputation = std::function<absl::StatusOr<ComputationIndex>()>;

// Reads all attributes into `draft`, whose opcode and default attributes are set, and checks that
// none is missing. With `allowed` false there are none to read (instructions nested as operands).
absl::Status ReadAttributes(Reader& reader, InstructionDraft& draft, bool allowed,
                            const InlineComputation& read_computation);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_ATTRIBUTE_READER_H_
