// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/buffer.h"

#include "absl/container/inlined_vector.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "pjrt_client/errors.h"

namespace axle::pjrt_client {
namespace {

// The dense row-major layout of an array on the host. Without one the plugin would use the layout
// that the value has on the device.
class RowMajorLayout {
 public:
  explicit RowMajorLayout(size_t rank) : minor_to_major_(rank) {
    for (size_t i = 0; i < rank; ++i) minor_to_major_[i] = static_cast<int64_t>(rank - 1 - i);
    layout_->type = PJRT_Buffer_MemoryLayout_Type_Tiled;
    layout_->tiled.struct_size = sizeof(PJRT_Buffer_MemoryLayout_Tiled);
    layout_->tiled.minor_to_major = minor_to_major_.data();
    layout_->tiled.minor_to_major_size = rank;
  }
  RowMajorLayout(const RowMajorLayout&) = delete;
  RowMajorLayout& operator=(const RowMajorLayout&) = delete;

  PJRT_Buffer_MemoryLayout* get() { return layout_.get(); }

 private:
  absl::InlinedVector<int64_t, 8> minor_to_major_;
  Args<PJRT_Buffer_MemoryLayout> layout_;
};

}  // namespace

absl::StatusOr<PJRT_Buffer_Type> Buffer::Type() const {
  Args<PJRT_Buffer_ElementType_Args> args;
  args->buffer = get();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_ElementType>(args));
  return args->type;
}

absl::StatusOr<absl::Span<const int64_t>> Buffer::Dimensions() const {
  Args<PJRT_Buffer_Dimensions_Args> args;
  args->buffer = get();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_Dimensions>(args));
  return absl::MakeConstSpan(args->dims, args->num_dims);
}

absl::StatusOr<absl::Span<const size_t>> Buffer::DynamicDimensions() const {
  Args<PJRT_Buffer_DynamicDimensionIndices_Args> args;
  args->buffer = get();
  const absl::Status status = api().Call<&PJRT_Api::PJRT_Buffer_DynamicDimensionIndices>(args);
  if (absl::IsUnimplemented(status)) return absl::Span<const size_t>();
  AXLE_RETURN_IF_ERROR(status);
  return absl::MakeConstSpan(args->dynamic_dim_indices, args->num_dynamic_dims);
}

absl::StatusOr<absl::Span<const int64_t>> Buffer::ActualDimensions() const {
  Args<PJRT_Buffer_UnpaddedDimensions_Args> args;
  args->buffer = get();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_UnpaddedDimensions>(args));
  return absl::MakeConstSpan(args->unpadded_dims, args->num_dims);
}

absl::StatusOr<size_t> Buffer::OnDeviceBytes() const {
  Args<PJRT_Buffer_OnDeviceSizeInBytes_Args> args;
  args->buffer = get();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_OnDeviceSizeInBytes>(args));
  return args->on_device_size_in_bytes;
}

absl::StatusOr<const Device*> Buffer::OnDevice() const {
  Args<PJRT_Buffer_Device_Args> args;
  args->buffer = get();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_Device>(args));
  for (const Device& device : client().devices) {
    if (device.handle == args->device) return &device;
  }
  return MakeError(errors::kPluginAnswer, "the buffer is on a device that the client doesn't have");
}

absl::StatusOr<const Memory*> Buffer::InMemory() const {
  AXLE_ASSIGN_OR_RETURN(const Device* device, OnDevice());
  Args<PJRT_Buffer_Memory_Args> args;
  args->buffer = get();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_Memory>(args));
  for (const Memory& memory : device->memories) {
    if (memory.handle == args->memory) return &memory;
  }
  return MakeError(errors::kPluginAnswer, "the buffer is in a memory that its device doesn't have");
}

absl::StatusOr<size_t> Buffer::HostBytes() const {
  AXLE_ASSIGN_OR_RETURN(const absl::Span<const int64_t> dims, Dimensions());
  RowMajorLayout layout(dims.size());
  Args<PJRT_Buffer_ToHostBuffer_Args> args;
  args->src = get();
  args->host_layout = layout.get();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_ToHostBuffer>(args));
  return args->dst_size;
}

absl::StatusOr<Event> Buffer::CopyToHost(absl::Span<uint8_t> target) const {
  AXLE_ASSIGN_OR_RETURN(const absl::Span<const int64_t> dims, Dimensions());
  RowMajorLayout layout(dims.size());
  // A null target would ask for the size; an array without elements needs no bytes.
  uint8_t no_bytes = 0;
  Args<PJRT_Buffer_ToHostBuffer_Args> args;
  args->src = get();
  args->host_layout = layout.get();
  args->dst = target.empty() ? &no_bytes : target.data();
  args->dst_size = target.size();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_ToHostBuffer>(args));
  return Event(api(), args->event);
}

absl::Status Buffer::Read(absl::Span<uint8_t> target) const {
  AXLE_ASSIGN_OR_RETURN(const Event done, CopyToHost(target));
  return done.Await();
}

absl::StatusOr<Buffer> Buffer::CopyToDevice(const Device& device) const {
  Args<PJRT_Buffer_CopyToDevice_Args> args;
  args->buffer = get();
  args->dst_device = device.handle;
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_CopyToDevice>(args));
  if (args->dst_buffer == nullptr) {
    return MakeError(errors::kPluginAnswer, "PJRT_Buffer_CopyToDevice gave no buffer");
  }
  return Buffer(buffer_.get_deleter().client, args->dst_buffer);
}

absl::StatusOr<Event> Buffer::ReadyEvent() const {
  Args<PJRT_Buffer_ReadyEvent_Args> args;
  args->buffer = get();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_ReadyEvent>(args));
  return Event(api(), args->event);
}

absl::Status Buffer::Delete() const {
  Args<PJRT_Buffer_Delete_Args> args;
  args->buffer = get();
  return api().Call<&PJRT_Api::PJRT_Buffer_Delete>(args);
}

absl::StatusOr<bool> Buffer::IsDeleted() const {
  Args<PJRT_Buffer_IsDeleted_Args> args;
  args->buffer = get();
  AXLE_RETURN_IF_ERROR(api().Call<&PJRT_Api::PJRT_Buffer_IsDeleted>(args));
  return args->is_deleted;
}

}  // namespace axle::pjrt_client
