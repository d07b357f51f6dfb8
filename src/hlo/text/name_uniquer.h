// SPDX-License-Identifier: Apache-2.0
// Names for what the text left without one: base, base.1, base.2 …, the first that is free.
#ifndef AXLE_HLO_TEXT_NAME_UNIQUER_H_
#define AXLE_HLO_TEXT_NAME_UNIQUER_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace axle::hlo::text {

class NameUniquer {
 public:
  // is_taken(name): whether something bears the name already.
  template <typename F>
  std::string Unique(absl::string_view base, F&& is_taken) {
    int64_t& next = next_[base];
    while (true) {
      std::string name = next == 0 ? std::string(base) : absl::StrCat(base, ".", next);
      ++next;
      if (!is_taken(name)) return name;
    }
  }

 private:
  absl::flat_hash_map<std::string, int64_t> next_;  // by base
};

// Bases of such names. The printer uses them to tell whether a computation would get its name back.
inline constexpr absl::string_view kWrappedComputationName = "async_wrapped";
inline constexpr absl::string_view kWrappedParameterName = "async_param";
inline constexpr absl::string_view kWrappedRootName = "async_op";

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_NAME_UNIQUER_H_
