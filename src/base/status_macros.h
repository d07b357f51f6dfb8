// SPDX-License-Identifier: Apache-2.0
#ifndef AXLE_BASE_STATUS_MACROS_H_
#define AXLE_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns from the enclosing function when `expression` (a Status) is not OK.
#define AXLE_RETURN_IF_ERROR(expression)                                           \
  do {                                                                             \
    if (absl::Status axle_status_ = (expression); !axle_status_.ok()) [[unlikely]] \
      return axle_status_;                                                         \
  } while (false)

#define AXLE_CONCAT_INNER_(a, b) a##b
#define AXLE_CONCAT_(a, b) AXLE_CONCAT_INNER_(a, b)

// AXLE_ASSIGN_OR_RETURN(auto x, F()): x = *F(), or returns F's status.
#define AXLE_ASSIGN_OR_RETURN(declaration, expression) \
  AXLE_ASSIGN_OR_RETURN_IMPL_(AXLE_CONCAT_(axle_statusor_, __LINE__), declaration, expression)
#define AXLE_ASSIGN_OR_RETURN_IMPL_(statusor, declaration, expression) \
  auto statusor = (expression);                                        \
  if (!statusor.ok()) [[unlikely]]                                     \
    return std::move(statusor).status();                               \
  declaration = *std::move(statusor)

#endif  // AXLE_BASE_STATUS_MACROS_H_
