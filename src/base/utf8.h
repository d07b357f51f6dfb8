// SPDX-License-Identifier: Apache-2.0
#ifndef AXLE_BASE_UTF8_H_
#define AXLE_BASE_UTF8_H_

#include "absl/strings/string_view.h"

namespace axle {

// Whether the bytes are well-formed UTF-8 (Unicode 15, table 3-7: no surrogates, no overlong forms,
// nothing above U+10FFFF).
bool IsValidUtf8(absl::string_view text);

}  // namespace axle

#endif  // AXLE_BASE_UTF8_H_
