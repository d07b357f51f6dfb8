// SPDX-License-Identifier: Apache-2.0
// Reading one operation of a script: operands, attributes, expectation. For xrt_script_parser.cc.
#ifndef AXLE_XRT_SCRIPT_OPERATION_READER_H_
#define AXLE_XRT_SCRIPT_OPERATION_READER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xrt_script/script.h"
#include "xrt_script/text_reader.h"

namespace axle::xrt_script {

// From the operation's name to the end of its line; files of programs are in `folder`.
absl::Status ReadOperation(TextReader& reader, const std::string& folder, Statement* statement);

// "{0, {1, 0!}}" or "0": an XLATupleNode.
absl::StatusOr<xrt::Value> ReadTuple(TextReader& reader);

// "{ sum = p(x, y)  return sum.0 }", a statement a line: an XRTChainedExecutePlan.
absl::StatusOr<MessageTemplate> ReadPlan(TextReader& reader);

}  // namespace axle::xrt_script

#endif  // AXLE_XRT_SCRIPT_OPERATION_READER_H_
