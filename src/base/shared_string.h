// SPDX-License-Identifier: Apache-2.0
// SharedString: an immutable string that copies share. StringInterner makes equal ones share too.
#ifndef AXLE_BASE_SHARED_STRING_H_
#define AXLE_BASE_SHARED_STRING_H_

#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace axle {

class SharedString {
 public:
  SharedString() = default;  // empty
  explicit SharedString(absl::string_view text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(text)) {}

  absl::string_view view() const { return text_ ? absl::string_view(*text_) : absl::string_view(); }
  bool empty() const { return text_ == nullptr; }
  friend bool operator==(const SharedString& a, const SharedString& b) {
    return a.text_ == b.text_ || a.view() == b.view();
  }
  template <typename H>
  friend H AbslHashValue(H h, const SharedString& s) {
    return H::combine(std::move(h), s.view());
  }

 private:
  std::shared_ptr<const std::string> text_;
};

// Not thread-safe; lives as long as one read.
class StringInterner {
 public:
  SharedString Intern(absl::string_view text) {
    if (text.empty()) return SharedString();
    const auto found = strings_.find(text);
    if (found != strings_.end()) return found->second;
    SharedString shared(text);
    strings_.emplace(shared.view(), shared);
    return shared;
  }

 private:
  absl::flat_hash_map<absl::string_view, SharedString> strings_;  // keys point into the values
};

}  // namespace axle

#endif  // AXLE_BASE_SHARED_STRING_H_
