// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/api.h"

#include <cstring>
#include <exception>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "pjrt_client/errors.h"

namespace axle::pjrt_client {
namespace {

#define AXLE_PJRT_SLOT_NAME(name) "PJRT_" #name,
constexpr absl::string_view kSlotNames[] = {
    AXLE_PJRT_API_SLOTS(AXLE_PJRT_SLOT_NAME, AXLE_PJRT_SLOT_NAME, AXLE_PJRT_SLOT_NAME)};
#undef AXLE_PJRT_SLOT_NAME

// An int from the plugin as a code; an error is never OK.
absl::StatusCode CodeOf(int code) {
  const bool known = code > 0 && code <= static_cast<int>(absl::StatusCode::kUnauthenticated);
  return known ? static_cast<absl::StatusCode>(code) : absl::StatusCode::kUnknown;
}

}  // namespace

void Zero(void* memory, size_t size) { std::memset(memory, 0, size); }

absl::string_view Api::SlotName(size_t offset) {
  return kSlotNames[(offset - offsetof(PJRT_Api, PJRT_Error_Destroy)) / sizeof(void*)];
}

absl::Status Api::SlotMissing(size_t offset) const {
  return MakeError(errors::kSlotMissing, absl::StrCat("the plugin (PJRT 0.", minor_version(),
                                                      ") doesn't have ", SlotName(offset)));
}

absl::Status Api::ExceptionStatus(size_t offset) {
  std::string what = "an object of unknown type";
  try {
    throw;
  } catch (const std::exception& exception) {
    what = exception.what();
  } catch (...) {
  }
  return MakeError(errors::kPluginThrew, absl::StrCat(SlotName(offset), " threw: ", what));
}

absl::Status Api::ToStatus(PJRT_Error* error, absl::string_view where) const {
  if (error == nullptr) return absl::OkStatus();
  Args<PJRT_Error_Message_Args> message;
  message->error = error;
  table_->PJRT_Error_Message(message.get());
  Args<PJRT_Error_GetCode_Args> code;
  code->error = error;
  // An error about an error: its code stays unknown.
  PJRT_Error* second = table_->PJRT_Error_GetCode(code.get());
  ErrorDef def = errors::kPluginAnswered;
  if (second == nullptr) def.code = CodeOf(code->code);
  const absl::Status status = MakeError(
      def, absl::StrCat(where, ": ", absl::string_view(message->message, message->message_size)));
  for (PJRT_Error* done : {error, second}) {
    if (done == nullptr) continue;
    Args<PJRT_Error_Destroy_Args> destroy;
    destroy->error = done;
    table_->PJRT_Error_Destroy(destroy.get());
  }
  return status;
}

}  // namespace axle::pjrt_client
