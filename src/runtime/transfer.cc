// SPDX-License-Identifier: Apache-2.0
#include "runtime/transfer.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "runtime/errors.h"
#include "runtime/program.h"
#include "runtime/shape_text.h"

namespace axle::runtime {
namespace {

absl::Status CheckRange(const hlo::Literal& array, int64_t offset, int64_t size) {
  const int64_t bytes = static_cast<int64_t>(array.bytes().size());
  if (offset >= 0 && size >= 0 && offset <= bytes && size <= bytes - offset) {
    return absl::OkStatus();
  }
  return MakeError(errors::kRange,
                   absl::StrCat(size, " bytes from ", offset, " of ", array.shape().ToString(false),
                                ", which has ", bytes, " bytes"));
}

}  // namespace

Transfer::Transfer(PrivateTag, const Allocation& value,
                   std::vector<std::shared_ptr<Buffer>> buffers, Charge charge)
    : shape_(value.shape()),
      device_(value.device() == nullptr ? -1 : value.device()->id()),
      value_(value),
      buffers_(std::move(buffers)),
      read_(buffers_.size()),
      charge_(std::move(charge)) {}

Transfer::Transfer(PrivateTag, hlo::Literal zeros, int device, Charge charge)
    : shape_(zeros.shape().WithoutLayouts()),
      device_(device),
      written_(std::move(zeros)),
      charge_(std::move(charge)) {}

absl::StatusOr<std::shared_ptr<const hlo::Literal>> Transfer::Leaf(int64_t leaf) {
  if (leaf < 0 || leaf >= static_cast<int64_t>(buffers_.size())) {
    return MakeError(errors::kRange,
                     absl::StrCat("leaf ", leaf, " of a value of shape ", ShapeText(shape_)));
  }
  {
    const std::lock_guard lock(mutex_);
    if (read_[leaf] != nullptr) return read_[leaf];
  }
  AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, DownloadLiteral(*buffers_[leaf]));
  auto shared = std::make_shared<const hlo::Literal>(std::move(literal));
  const std::lock_guard lock(mutex_);
  if (read_[leaf] == nullptr) read_[leaf] = std::move(shared);  // else another call was faster
  return read_[leaf];
}

absl::StatusOr<std::string> Transfer::Read(int64_t leaf, int64_t offset, int64_t size) {
  if (buffers_.empty() && !shape_.IsTuple()) {
    return MakeError(errors::kTransfer, "the transfer writes a value");
  }
  AXLE_ASSIGN_OR_RETURN(const std::shared_ptr<const hlo::Literal> literal, Leaf(leaf));
  AXLE_RETURN_IF_ERROR(CheckRange(*literal, offset, size));
  const char* const bytes = reinterpret_cast<const char*>(literal->bytes().data());
  return size == 0 ? std::string() : std::string(bytes + offset, static_cast<size_t>(size));
}

absl::Status Transfer::Write(int64_t offset, absl::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (!written_.shape().valid()) {
    return MakeError(errors::kTransfer, "the transfer reads a value, or is finished");
  }
  AXLE_RETURN_IF_ERROR(CheckRange(written_, offset, static_cast<int64_t>(bytes.size())));
  if (!bytes.empty()) std::memcpy(written_.bytes().data() + offset, bytes.data(), bytes.size());
  return absl::OkStatus();
}

absl::StatusOr<hlo::Literal> Transfer::Take() {
  Charge refunded;
  const std::lock_guard lock(mutex_);
  if (!written_.shape().valid()) {
    return MakeError(errors::kTransfer, "the transfer reads a value, or is finished");
  }
  hlo::Literal written = std::move(written_);
  written_ = hlo::Literal();
  refunded = std::move(charge_);
  return written;
}

void Transfer::Restore(hlo::Literal written, Charge charge) {
  const std::lock_guard lock(mutex_);
  written_ = std::move(written);
  charge_ = std::move(charge);
}

}  // namespace axle::runtime
