// SPDX-License-Identifier: Apache-2.0
// What came of running every opcode with every element type on every backend: the table
// tests/data/opcode_support.txt, which tests keep true and docs/hlo-opcodes.md shows.
//
// The file:
//   types: pred s1 s2 …                       every element type of arrays
//   add | xla-cpu | ok: all but s1 | AX0707: s1
//   after-all | reference | ok: fixed          its program has no free element type
// An outcome is "ok", "-" where the verifier refuses the type, or the id of the refusal. Types are
// names, "ints", "floats" and "complex" for all of them, "all", or "all but" some. '#' begins a
// remark.
#ifndef AXLE_TOOLS_OPCODE_SUPPORT_H_
#define AXLE_TOOLS_OPCODE_SUPPORT_H_

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/element_type.h"
#include "hlo/opcode.h"

namespace axle::tools {

inline constexpr absl::string_view kSupportBackends[] = {"reference", "null", "xla-cpu"};
inline constexpr absl::string_view kSupportOk = "ok";
inline constexpr absl::string_view kSupportRefused = "-";  // by the verifier

// Outcomes by element type; ElementType::kInvalid stands for a program without a free type, which
// then is the only key.
using OpcodeOutcomes = std::map<hlo::ElementType, std::string>;

class OpcodeSupport {
 public:
  // Error AX0964 with the line.
  static absl::StatusOr<OpcodeSupport> Parse(absl::string_view text);
  std::string ToText() const;

  // Error AX0964 that names every opcode of the opcode table and every element type that a backend
  // has no outcome for, or a backend's row that differs in what the verifier takes.
  absl::Status CheckComplete() const;

  // Null where the table has no row.
  const OpcodeOutcomes* Find(hlo::Opcode opcode, absl::string_view backend) const;
  void Set(hlo::Opcode opcode, absl::string_view backend, OpcodeOutcomes outcomes);

 private:
  std::map<std::pair<hlo::Opcode, std::string>, OpcodeOutcomes> rows_;
};

// The element types of arrays.
const std::set<hlo::ElementType>& ArrayTypes();

// The types that the verifier takes.
std::set<hlo::ElementType> AcceptedTypes(const OpcodeOutcomes& outcomes);

// "all", "none", "ints f32", or "all but f32" where that is shorter. `types` lie within `all`.
std::string TypesText(const std::set<hlo::ElementType>& types,
                      const std::set<hlo::ElementType>& all);

}  // namespace axle::tools

#endif  // AXLE_TOOLS_OPCODE_SUPPORT_H_
