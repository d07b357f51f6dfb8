// SPDX-License-Identifier: Apache-2.0
// Calls through a plugin's function table: argument structs that older and newer plugins accept,
// slots that are missing, errors and exceptions as absl::Status.
#ifndef AXLE_PJRT_CLIENT_API_H_
#define AXLE_PJRT_CLIENT_API_H_

#include <cstddef>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "pjrt_client/c_api.h"

namespace axle::pjrt_client {

// memset, for sizes that GCC would turn into one slow instruction if it knew them.
void Zero(void* memory, size_t size);

// An argument struct of PJRT with everything zero and 128 zero bytes behind it, struct_size being
// the padded size. A plugin newer than c_api.h reads its additional fields there as zero, which is
// their default, and may write additional results there.
template <typename T>
class Args {
 public:
  Args() {
    Zero(this, sizeof(*this));
    value_.struct_size = sizeof(*this);
  }

  T* get() { return &value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

 private:
  static_assert(std::is_trivially_copyable_v<T>);
  T value_;
  char tail_[128];
};

// A plugin's function table. A value type; the table lives as long as the process. Thread-safe.
class Api {
 public:
  // Not callable until assigned.
  Api() = default;

  // `table` must have passed the checks of Plugin (plugin.h).
  explicit Api(const PJRT_Api* table) : table_(table) {}

  const PJRT_Api* table() const { return table_; }
  int minor_version() const { return table_->pjrt_api_version.minor_version; }

  // Whether the plugin fills in the slot, e.g. Has<&PJRT_Api::PJRT_Client_Compile>().
  template <auto kSlot>
  bool Has() const {
    return Offset<kSlot>() + sizeof(void*) <= table_->struct_size && table_->*kSlot != nullptr;
  }

  // Calls the slot. Errors: Unimplemented when the plugin lacks it, the plugin's own code and words
  // when it answers an error, Internal when it throws.
  template <auto kSlot, typename T>
  absl::Status Call(Args<T>& args) const {
    if (!Has<kSlot>()) return SlotMissing(Offset<kSlot>());
    PJRT_Error* error;
    try {
      error = (table_->*kSlot)(args.get());
    } catch (...) {
      return ExceptionStatus(Offset<kSlot>());
    }
    if (error == nullptr) return absl::OkStatus();
    return ToStatus(error, SlotName(Offset<kSlot>()));
  }

  // Takes `error` (null is OK) and turns it into a status; `where` names the call.
  absl::Status ToStatus(PJRT_Error* error, absl::string_view where) const;

 private:
  template <auto kSlot>
  size_t Offset() const {
    return reinterpret_cast<const char*>(&(table_->*kSlot)) - reinterpret_cast<const char*>(table_);
  }

  static absl::string_view SlotName(size_t offset);
  absl::Status SlotMissing(size_t offset) const;
  static absl::Status ExceptionStatus(size_t offset);  // inside a catch block only

  const PJRT_Api* table_ = nullptr;
};

// Destroys `object` by the slot whose argument struct has it in `kField`. An error of a destroy
// call leaves nothing to do about it.
template <auto kSlot, auto kField, typename T, typename Object>
void Destroy(const Api& api, Object* object) {
  Args<T> args;
  args.get()->*kField = object;
  api.Call<kSlot>(args).IgnoreError();
}

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_API_H_
