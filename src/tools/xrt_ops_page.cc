// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/str_cat.h"
#include "tools/docs_pages.h"
#include "xrt/op_set.h"

namespace axle::tools {
namespace {

absl::string_view TypeName(xrt::ArgumentType type) {
  switch (type) {
    case xrt::ArgumentType::kHandle:
      return "handle";
    case xrt::ArgumentType::kString:
      return "string";
    case xrt::ArgumentType::kInt32:
      return "int32";
    case xrt::ArgumentType::kInt64:
      return "int64";
    case xrt::ArgumentType::kAny:
      return "array";
  }
  return "";
}

absl::string_view RankName(xrt::ArgumentRank rank) {
  switch (rank) {
    case xrt::ArgumentRank::kScalar:
      return "scalar";
    case xrt::ArgumentRank::kVector:
      return "vector";
    case xrt::ArgumentRank::kScalarOrVector:
      return "scalar or vector";
    case xrt::ArgumentRank::kAny:
      return "any rank";
  }
  return "";
}

void AppendArguments(absl::string_view title, absl::Span<const xrt::ArgumentDef> arguments,
                     std::string* page) {
  for (const xrt::ArgumentDef& argument : arguments) {
    absl::StrAppend(page, "- ", title, " `", argument.name, "`: ");
    if (!argument.list.empty()) absl::StrAppend(page, "`", argument.list, "` × ");
    absl::StrAppend(page, TypeName(argument.type), ", ", RankName(argument.rank), ". ",
                    argument.doc, "\n");
  }
}

void AppendOp(const xrt::OpDef& op, std::string* page) {
  absl::StrAppend(page, "\n## ", op.name, "\n\n", op.doc, "\n\n");
  AppendArguments("in", op.inputs, page);
  for (const xrt::AttributeDef& attribute : op.attributes) {
    absl::StrAppend(page, "- attribute `", attribute.name, "`: ", attribute.type);
    if (!attribute.default_value.empty()) {
      absl::StrAppend(page, " = ", attribute.default_value);
    }
    absl::StrAppend(page, ". ", attribute.doc, "\n");
  }
  AppendArguments("out", op.outputs, page);
  if (!op.metric.empty()) absl::StrAppend(page, "- metric `", op.metric, "`\n");
}

}  // namespace

std::string XrtOpsPage() {
  std::string page =
      "# XRT operations\n"
      "\n"
      "XLA by handles, with the operations of TensorFlow's XRT in their last form. A handle is an\n"
      "int64 and stands for a value on a device or a compiled computation; it belongs to one\n"
      "session and means nothing in another. Messages are those of `proto/xrt.proto`, serialized,\n"
      "wire-compatible with TensorFlow's. Operations belong to one device: values and "
      "computations\n"
      "of another are refused.\n"
      "\n"
      "An operation that fails has changed nothing: no handle made, none released. A release that\n"
      "comes with another operation happens after that has succeeded. [Handles](handles.md) has\n"
      "the rules, and what happens when a session ends meanwhile. Errors that a caller can\n"
      "cause have ids, see [errors](errors.md); none is `INTERNAL`.\n"
      "\n"
      "Made by `axle docs xrt` from the tables in the sources; do not edit.\n";
  for (const xrt::OpDef& op : xrt::Ops()) AppendOp(op, &page);
  return page;
}

}  // namespace axle::tools
