// SPDX-License-Identifier: Apache-2.0
// JSON that --json prints.
#ifndef AXLE_TOOLS_JSON_H_
#define AXLE_TOOLS_JSON_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "hlo/shape.h"
#include "nlohmann/json.hpp"
#include "runtime/backend.h"

namespace axle::tools {

using Json = nlohmann::ordered_json;

// {"id": "AX0123", "message": …}, and "line" and "column" for an error in a text; the id is "" for
// an error without one.
Json ErrorJson(const absl::Status& status);

// {"type": "f32", "dimensions": [2, 3]}; a dynamic dimension has its bound, and "dynamic" the
// flags. A tuple is {"tuple": [elements]}.
Json ShapeJson(const hlo::Shape& shape);

// Bytes by kind; what the backend does not report is missing.
Json MemoryJson(const runtime::ProgramMemory& memory);

// For Json's own constructor, which knows no string_view of abseil.
inline std::string Text(absl::string_view text) { return std::string(text); }

}  // namespace axle::tools

#endif  // AXLE_TOOLS_JSON_H_
