// SPDX-License-Identifier: Apache-2.0
// The C ABI of PJRT, as far as Axle calls it, declared by us: the argument structs of the calls in
// use and the table of functions with every slot at its place. Names, order and types of fields are
// those of the ABI, so that both sides agree; c_api_test compares every size, offset and value with
// the official header.
//
// Common to all argument structs: `struct_size` says how much of the struct the caller knows,
// `extension_start` is a list of {size, type, next} that either side may ignore. Fields marked
// `out` are written by the plugin. Strings are pointer and size, owned by the object that was
// asked. Newer versions append fields and slots and never move them (since version 0.57).
#ifndef AXLE_PJRT_CLIENT_C_API_H_
#define AXLE_PJRT_CLIENT_C_API_H_

#include <cstddef>

#include "pjrt_client/c_api_args.h"
#include "pjrt_client/c_api_types.h"

namespace axle::pjrt_client {

// ---- The table of functions: every slot up to version 0.114, in order. CALLED slots take their
// argument struct and answer an error or null, VOID slots answer nothing, UNUSED slots are pointers
// that Axle never calls.
#define AXLE_PJRT_API_SLOTS(VOID, CALLED, UNUSED)              \
  VOID(Error_Destroy)                                          \
  VOID(Error_Message)                                          \
  CALLED(Error_GetCode)                                        \
  CALLED(Plugin_Initialize)                                    \
  CALLED(Plugin_Attributes)                                    \
  CALLED(Event_Destroy)                                        \
  CALLED(Event_IsReady)                                        \
  UNUSED(Event_Error)                                          \
  CALLED(Event_Await)                                          \
  CALLED(Event_OnReady)                                        \
  CALLED(Client_Create)                                        \
  CALLED(Client_Destroy)                                       \
  CALLED(Client_PlatformName)                                  \
  CALLED(Client_ProcessIndex)                                  \
  CALLED(Client_PlatformVersion)                               \
  UNUSED(Client_Devices)                                       \
  CALLED(Client_AddressableDevices)                            \
  UNUSED(Client_LookupDevice)                                  \
  UNUSED(Client_LookupAddressableDevice)                       \
  UNUSED(Client_AddressableMemories)                           \
  CALLED(Client_Compile)                                       \
  UNUSED(Client_DefaultDeviceAssignment)                       \
  CALLED(Client_BufferFromHostBuffer)                          \
  CALLED(DeviceDescription_Id)                                 \
  CALLED(DeviceDescription_ProcessIndex)                       \
  UNUSED(DeviceDescription_Attributes)                         \
  CALLED(DeviceDescription_Kind)                               \
  CALLED(DeviceDescription_DebugString)                        \
  CALLED(DeviceDescription_ToString)                           \
  CALLED(Device_GetDescription)                                \
  UNUSED(Device_IsAddressable)                                 \
  CALLED(Device_LocalHardwareId)                               \
  CALLED(Device_AddressableMemories)                           \
  CALLED(Device_DefaultMemory)                                 \
  CALLED(Device_MemoryStats)                                   \
  CALLED(Memory_Id)                                            \
  CALLED(Memory_Kind)                                          \
  UNUSED(Memory_DebugString)                                   \
  CALLED(Memory_ToString)                                      \
  UNUSED(Memory_AddressableByDevices)                          \
  CALLED(Executable_Destroy)                                   \
  CALLED(Executable_Name)                                      \
  UNUSED(Executable_NumReplicas)                               \
  UNUSED(Executable_NumPartitions)                             \
  CALLED(Executable_NumOutputs)                                \
  CALLED(Executable_SizeOfGeneratedCodeInBytes)                \
  UNUSED(Executable_GetCostAnalysis)                           \
  UNUSED(Executable_OutputMemoryKinds)                         \
  UNUSED(Executable_OptimizedProgram)                          \
  UNUSED(Executable_Serialize)                                 \
  CALLED(LoadedExecutable_Destroy)                             \
  CALLED(LoadedExecutable_GetExecutable)                       \
  CALLED(LoadedExecutable_AddressableDevices)                  \
  CALLED(LoadedExecutable_Delete)                              \
  CALLED(LoadedExecutable_IsDeleted)                           \
  CALLED(LoadedExecutable_Execute)                             \
  UNUSED(Executable_DeserializeAndLoad)                        \
  UNUSED(LoadedExecutable_Fingerprint)                         \
  CALLED(Buffer_Destroy)                                       \
  CALLED(Buffer_ElementType)                                   \
  CALLED(Buffer_Dimensions)                                    \
  CALLED(Buffer_UnpaddedDimensions)                            \
  CALLED(Buffer_DynamicDimensionIndices)                       \
  UNUSED(Buffer_GetMemoryLayout)                               \
  CALLED(Buffer_OnDeviceSizeInBytes)                           \
  CALLED(Buffer_Device)                                        \
  CALLED(Buffer_Memory)                                        \
  CALLED(Buffer_Delete)                                        \
  CALLED(Buffer_IsDeleted)                                     \
  CALLED(Buffer_CopyToDevice)                                  \
  CALLED(Buffer_ToHostBuffer)                                  \
  UNUSED(Buffer_IsOnCpu)                                       \
  CALLED(Buffer_ReadyEvent)                                    \
  UNUSED(Buffer_UnsafePointer)                                 \
  UNUSED(Buffer_IncreaseExternalReferenceCount)                \
  UNUSED(Buffer_DecreaseExternalReferenceCount)                \
  UNUSED(Buffer_OpaqueDeviceMemoryDataPointer)                 \
  UNUSED(CopyToDeviceStream_Destroy)                           \
  UNUSED(CopyToDeviceStream_AddChunk)                          \
  UNUSED(CopyToDeviceStream_TotalBytes)                        \
  UNUSED(CopyToDeviceStream_GranuleSize)                       \
  UNUSED(CopyToDeviceStream_CurrentBytes)                      \
  UNUSED(TopologyDescription_Create)                           \
  UNUSED(TopologyDescription_Destroy)                          \
  UNUSED(TopologyDescription_PlatformName)                     \
  UNUSED(TopologyDescription_PlatformVersion)                  \
  UNUSED(TopologyDescription_GetDeviceDescriptions)            \
  UNUSED(TopologyDescription_Serialize)                        \
  UNUSED(TopologyDescription_Attributes)                       \
  UNUSED(Compile)                                              \
  CALLED(Executable_OutputElementTypes)                        \
  CALLED(Executable_OutputDimensions)                          \
  UNUSED(Buffer_CopyToMemory)                                  \
  UNUSED(Client_CreateViewOfDeviceBuffer)                      \
  CALLED(Executable_Fingerprint)                               \
  UNUSED(Client_TopologyDescription)                           \
  CALLED(Executable_GetCompiledMemoryStats)                    \
  UNUSED(Memory_Kind_Id)                                       \
  UNUSED(ExecuteContext_Create)                                \
  UNUSED(ExecuteContext_Destroy)                               \
  UNUSED(Buffer_CopyRawToHost)                                 \
  UNUSED(AsyncHostToDeviceTransferManager_Destroy)             \
  UNUSED(AsyncHostToDeviceTransferManager_TransferData)        \
  UNUSED(Client_CreateBuffersForAsyncHostToDevice)             \
  UNUSED(AsyncHostToDeviceTransferManager_RetrieveBuffer)      \
  UNUSED(AsyncHostToDeviceTransferManager_Device)              \
  UNUSED(AsyncHostToDeviceTransferManager_BufferCount)         \
  UNUSED(AsyncHostToDeviceTransferManager_BufferSize)          \
  UNUSED(AsyncHostToDeviceTransferManager_SetBufferError)      \
  UNUSED(AsyncHostToDeviceTransferManager_AddMetadata)         \
  UNUSED(Client_DmaMap)                                        \
  UNUSED(Client_DmaUnmap)                                      \
  UNUSED(Client_CreateUninitializedBuffer)                     \
  UNUSED(Client_UpdateGlobalProcessInfo)                       \
  UNUSED(TopologyDescription_Deserialize)                      \
  UNUSED(Client_CreateAliasBuffer)                             \
  UNUSED(Client_FulfillAliasBuffer)                            \
  UNUSED(LoadedExecutable_GetDeviceAssignment)                 \
  UNUSED(Client_CreateErrorBuffer)                             \
  UNUSED(AsyncHostToDeviceTransferManager_TransferLiteral)     \
  UNUSED(Buffer_CopyRawToHostFuture)                           \
  UNUSED(Device_PoisonExecution)                               \
  UNUSED(Device_CreateAsyncTrackingEvent)                      \
  UNUSED(AsyncTrackingEvent_Destroy)                           \
  UNUSED(Executable_GetCompileOptions)                         \
  UNUSED(Buffer_DonateWithControlDependency)                   \
  UNUSED(Event_Create)                                         \
  UNUSED(Event_Set)                                            \
  UNUSED(Device_GetAttributes)                                 \
  UNUSED(Client_Load)                                          \
  UNUSED(LoadedExecutable_AddressableDeviceLogicalIds)         \
  UNUSED(Buffer_Bitcast)                                       \
  UNUSED(Error_ForEachPayload)                                 \
  UNUSED(TopologyDescription_Fingerprint)                      \
  UNUSED(Executable_ParameterMemoryKinds)                      \
  UNUSED(Device_ClearMemoryStats)                              \
  UNUSED(TopologyDescription_MakeCanonicalShapeForMemorySpace) \
  UNUSED(TopologyDescription_GetMemorySpaceKindIds)

#define AXLE_PJRT_VOID_SLOT(name) void (*PJRT_##name)(PJRT_##name##_Args*);
#define AXLE_PJRT_CALLED_SLOT(name) PJRT_Error* (*PJRT_##name)(PJRT_##name##_Args*);
#define AXLE_PJRT_UNUSED_SLOT(name) void* PJRT_##name;
struct PJRT_Api {
  size_t struct_size;  // how much of the table the plugin filled in
  PJRT_Extension_Base* extension_start;
  PJRT_Api_Version pjrt_api_version;
  AXLE_PJRT_API_SLOTS(AXLE_PJRT_VOID_SLOT, AXLE_PJRT_CALLED_SLOT, AXLE_PJRT_UNUSED_SLOT)
};
#undef AXLE_PJRT_VOID_SLOT
#undef AXLE_PJRT_CALLED_SLOT
#undef AXLE_PJRT_UNUSED_SLOT

// 40 bytes of head and 138 slots.
static_assert(sizeof(PJRT_Api) == 1144);

// The one symbol that a plugin exports: `const PJRT_Api* GetPjrtApi()`, valid for the process.
using PJRT_GetApiFunction = const PJRT_Api* (*)();
inline constexpr char kGetApiSymbol[] = "GetPjrtApi";

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_C_API_H_
