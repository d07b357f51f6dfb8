// SPDX-License-Identifier: Apache-2.0
// A block of bytes at an address that any element type and vector instruction can use.
#ifndef AXLE_BASE_ALIGNED_BYTES_H_
#define AXLE_BASE_ALIGNED_BYTES_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "absl/types/span.h"

namespace axle {

// Owns its block, unless it borrows one; copies are deep and own theirs. The content is
// uninitialised after construction.
class AlignedBytes {
 public:
  static constexpr int64_t kAlignment = 64;

  AlignedBytes() = default;
  // `size` must come from a checked computation: the block is allocated at once. Where the machine
  // has no memory for it, size() is 0 afterwards.
  explicit AlignedBytes(int64_t size)
      : data_(size == 0 ? nullptr
                        : static_cast<uint8_t*>(
                              ::operator new(size, std::align_val_t(kAlignment), std::nothrow))),
        size_(data_ == nullptr ? 0 : size) {}
  // `data` must outlive this object and what is moved from it.
  static AlignedBytes Borrow(uint8_t* data, int64_t size) {
    AlignedBytes bytes;
    bytes.data_ = std::unique_ptr<uint8_t, Delete>(data, Delete(false));
    bytes.size_ = size;
    return bytes;
  }
  AlignedBytes(const AlignedBytes& other) : AlignedBytes(other.size_) {
    if (size_ > 0) std::memcpy(data_.get(), other.data_.get(), size_);
  }
  AlignedBytes(AlignedBytes&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  AlignedBytes& operator=(AlignedBytes other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  uint8_t* data() { return data_.get(); }
  const uint8_t* data() const { return data_.get(); }
  int64_t size() const { return size_; }
  absl::Span<uint8_t> span() { return {data_.get(), static_cast<size_t>(size_)}; }
  absl::Span<const uint8_t> span() const { return {data_.get(), static_cast<size_t>(size_)}; }

 private:
  struct Delete {
    Delete() : owned(true) {}
    explicit Delete(bool is_owned) : owned(is_owned) {}
    bool owned;
    void operator()(uint8_t* block) const {
      if (owned) ::operator delete(block, std::align_val_t(kAlignment));
    }
  };
  std::unique_ptr<uint8_t, Delete> data_;
  int64_t size_ = 0;
};

}  // namespace axle

#endif  // AXLE_BASE_ALIGNED_BYTES_H_
