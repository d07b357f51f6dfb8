// SPDX-License-Identifier: Apache-2.0
// Transfer: a value on its way between device and client, piece by piece.
//
// For clients that cannot send or get a value in one message. A piece is a range of the bytes of
// one leaf in its host form (hlo/literal.h). Each leaf crosses between host and device once,
// whatever the pieces, so that all of them together take time linear in the value.
#ifndef AXLE_RUNTIME_TRANSFER_H_
#define AXLE_RUNTIME_TRANSFER_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hlo/literal.h"
#include "hlo/shape.h"
#include "runtime/account.h"
#include "runtime/allocation.h"
#include "runtime/backend.h"

namespace axle::runtime {

class Session;

// Made by Session::BeginRead and BeginWrite. Thread-safe; no lock is held while a leaf crosses.
class Transfer {
 public:
  // Without layouts. What is written is one array.
  const hlo::Shape& shape() const { return shape_; }
  int device() const { return device_; }  // -1 for a value without arrays

  // Bytes of a leaf of the value as it was when the transfer began. The first piece of a leaf
  // waits and copies the leaf to the host. Errors: AX0626 for a leaf or a range that is not there,
  // AX0627 for a transfer that writes, and what made the leaf fail.
  absl::StatusOr<std::string> Read(int64_t leaf, int64_t offset, int64_t size);

  // Puts bytes into the array; where none are put it is zero. Errors: AX0626; AX0627 for a transfer
  // that reads, or that is finished.
  absl::Status Write(int64_t offset, absl::string_view bytes);

 private:
  friend class Session;
  struct PrivateTag {};

 public:
  Transfer(PrivateTag, const Allocation& value, std::vector<std::shared_ptr<Buffer>> buffers,
           Charge charge);
  Transfer(PrivateTag, hlo::Literal zeros, int device, Charge charge);

 private:
  absl::StatusOr<std::shared_ptr<const hlo::Literal>> Leaf(int64_t leaf);
  // What has been written, which is the caller's from now on, or until Restore gives it back.
  absl::StatusOr<hlo::Literal> Take();
  void Restore(hlo::Literal written, Charge charge);

  const hlo::Shape shape_;
  const int device_;
  // Of a transfer that reads: the value, which stays charged and is not donated meanwhile, and what
  // its leaves held when it began.
  const Allocation value_;
  const std::vector<std::shared_ptr<Buffer>> buffers_;
  std::mutex mutex_;
  // Guarded by mutex_:
  std::vector<std::shared_ptr<const hlo::Literal>> read_;  // a leaf each, null before its first use
  hlo::Literal written_;                                   // of invalid shape where there is none
  Charge charge_;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_TRANSFER_H_
