// SPDX-License-Identifier: Apache-2.0
// SharedString: an immutable string that copies share. StringInterner makes equal ones share too.
#ifndef AXLE_BASE_SHARED_STRING_H_
#define AXLE_BASE_SHARED_STRING_H_

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "base/assert.h"

namespace axle {

// One pointer, to a block with count, size and characters; null is empty. Modules have several for
// every instruction. Copies may be used from different threads; texts have less than 4 GiB.
class SharedString {
 public:
  SharedString() = default;  // empty
  explicit SharedString(absl::string_view text) {
    if (text.empty()) return;
    AXLE_ASSERT(text.size() <= std::numeric_limits<uint32_t>::max());
    block_ = new (::operator new(sizeof(Block) + text.size())) Block;
    block_->size = static_cast<uint32_t>(text.size());
    std::memcpy(reinterpret_cast<char*>(block_ + 1), text.data(), text.size());
  }
  SharedString(const SharedString& other) : block_(other.block_) {
    if (block_ != nullptr) block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  SharedString(SharedString&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedString& operator=(SharedString other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  SharedString& operator=(absl::string_view text) { return *this = SharedString(text); }
  ~SharedString() {
    if (block_ == nullptr || block_->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    block_->~Block();
    ::operator delete(block_);
  }

  absl::string_view view() const {
    if (block_ == nullptr) return absl::string_view();
    return absl::string_view(reinterpret_cast<const char*>(block_ + 1), block_->size);
  }
  bool empty() const { return block_ == nullptr; }
  friend bool operator==(const SharedString& a, const SharedString& b) {
    return a.block_ == b.block_ || a.view() == b.view();
  }
  template <typename H>
  friend H AbslHashValue(H h, const SharedString& s) {
    return H::combine(std::move(h), s.view());
  }

 private:
  struct Block {  // the characters follow
    std::atomic<uint32_t> owners{1};
    uint32_t size = 0;
  };
  Block* block_ = nullptr;
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
