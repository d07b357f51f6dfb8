// SPDX-License-Identifier: Apache-2.0
// The head of a module: "HloModule name, key=value, …" and the tables of source places under it.
#ifndef AXLE_HLO_TEXT_HEADER_READER_H_
#define AXLE_HLO_TEXT_HEADER_READER_H_

#include "absl/status/status.h"
#include "hlo/module.h"
#include "hlo/text/reader.h"

namespace axle::hlo::text {

// Reads the head into name and config; the word HloModule is the current token.
absl::Status ReadHeader(Reader& reader, Module& module);

// FileNames, FunctionNames, FileLocations, StackFrames, where present.
absl::Status ReadStackFrames(Reader& reader, StackFrames& frames);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_HEADER_READER_H_
