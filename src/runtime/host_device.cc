// SPDX-License-Identifier: Apache-2.0
#include "runtime/host_device.h"

#include <algorithm>
#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "runtime/errors.h"

namespace axle::runtime {

absl::Status CheckHostSize(const hlo::Shape& shape, size_t given) {
  AXLE_ASSIGN_OR_RETURN(const int64_t expected, shape.ByteSize());
  if (static_cast<int64_t>(given) == expected) return absl::OkStatus();
  return MakeError(
      errors::kHostSize,
      absl::StrCat(given, " bytes given for ", shape.ToString(false), ", which takes ", expected));
}

absl::Status DeletedBuffer(const hlo::Shape& shape) {
  return MakeError(errors::kDeletedBuffer,
                   absl::StrCat("a value of shape ", shape.ToString(false), " was deleted"));
}

absl::Status HostBuffer::CopyToHost(absl::Span<std::byte> destination) {
  AXLE_RETURN_IF_ERROR(CheckHostSize(shape_, destination.size()));
  const std::shared_ptr<const hlo::Literal> source = literal();
  if (source == nullptr) return DeletedBuffer(shape_);
  if (bytes_ > 0) std::memcpy(destination.data(), source->bytes().data(), destination.size());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int32_t>> HostBuffer::DynamicSizes() {
  const std::shared_ptr<const hlo::Literal> source = literal();
  if (source == nullptr) return DeletedBuffer(shape_);
  return std::vector<int32_t>(source->dynamic_sizes().begin(), source->dynamic_sizes().end());
}

void HostBuffer::Delete() {
  std::shared_ptr<const hlo::Literal> freed;  // freed outside the lock
  const std::lock_guard lock(mutex_);
  freed.swap(literal_);
  deleted_.store(true, std::memory_order_release);
}

absl::StatusOr<std::shared_ptr<Buffer>> HostDevice::Upload(const hlo::Shape& shape,
                                                           absl::Span<const std::byte> data,
                                                           HostMemory semantics,
                                                           std::function<void()> released) {
  absl::Cleanup release = [&released] {
    if (released) released();
  };
  AXLE_RETURN_IF_ERROR(CheckHostSize(shape, data.size()));
  const bool aligned = reinterpret_cast<uintptr_t>(data.data()) % AlignedBytes::kAlignment == 0;
  if (semantics == HostMemory::kCopyDuringCall || !aligned || data.empty()) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, hlo::Literal::CopyOf(shape, data));
    return std::make_shared<HostBuffer>(*this,
                                        std::make_shared<const hlo::Literal>(std::move(literal)));
  }
  // The caller's memory serves as it is, until the last user of the literal is gone.
  std::move(release).Cancel();
  std::shared_ptr<const hlo::Literal> literal(
      new hlo::Literal(hlo::Literal::Borrow(shape, data)),
      [released = std::move(released)](const hlo::Literal* borrowed) {
        delete borrowed;
        if (released) released();
      });
  return std::make_shared<HostBuffer>(*this, std::move(literal));
}

absl::StatusOr<std::vector<std::shared_ptr<const hlo::Literal>>> HostLiterals(
    absl::Span<const std::shared_ptr<Buffer>> buffers) {
  std::vector<std::shared_ptr<const hlo::Literal>> literals;
  literals.reserve(buffers.size());
  for (const std::shared_ptr<Buffer>& buffer : buffers) {
    literals.push_back(static_cast<const HostBuffer&>(*buffer).literal());
    if (literals.back() == nullptr) return DeletedBuffer(buffer->shape());
  }
  return literals;
}

void MakeHostBuffers(Device& device, hlo::Literal result,
                     absl::Span<std::shared_ptr<Buffer>> buffers) {
  const auto make = [&](hlo::Literal leaf) {
    return std::make_shared<HostBuffer>(device,
                                        std::make_shared<const hlo::Literal>(std::move(leaf)));
  };
  if (!result.IsTuple()) {
    buffers[0] = make(std::move(result));
    return;
  }
  for (size_t i = 0; i < buffers.size(); ++i) buffers[i] = make(std::move(result.elements()[i]));
}

void DeleteDonated(absl::Span<const Donation> donations,
                   absl::Span<const std::shared_ptr<Buffer>> arguments,
                   const ExecuteOptions& options) {
  const absl::Span<const int> kept = options.non_donatable;
  for (const Donation& donation : donations) {
    if (std::binary_search(kept.begin(), kept.end(), donation.parameter)) continue;
    arguments[donation.parameter]->Delete();
  }
}

}  // namespace axle::runtime
