// SPDX-License-Identifier: Apache-2.0
// A made-up plugin with a client, programs, buffers and events, all of them one object that does
// nothing. Tests change what its functions answer.
#ifndef AXLE_PJRT_CLIENT_FAKE_CLIENT_TESTING_H_
#define AXLE_PJRT_CLIENT_FAKE_CLIENT_TESTING_H_

#include "gtest/gtest.h"
#include "pjrt_client/client.h"
#include "pjrt_client/fake_plugin_testing.h"

namespace axle::pjrt_client {

// Stands for any object of the plugin.
inline char object;

template <typename T>
T* Object() {
  return reinterpret_cast<T*>(&object);
}

inline PJRT_Error* const kOk = nullptr;

// What the made-up plugin shall do; reset before each test.
struct Behaviour {
  size_t devices = 1;
  size_t program_devices = 1;
  bool gives_objects = true;
  PJRT_Event_OnReady_Args waiting = {};
  int destroyed_events = 0;
  int destroyed_buffers = 0;
};
inline Behaviour behaviour;

inline char other_object;
inline PJRT_Device* const kDevices[] = {Object<PJRT_Device>(),
                                        reinterpret_cast<PJRT_Device*>(&other_object)};

template <typename T>
T* Given() {
  return behaviour.gives_objects ? Object<T>() : nullptr;
}

inline void AddClientSlots(PJRT_Api& t) {
  t.PJRT_Client_Create = [](PJRT_Client_Create_Args* a) {
    return a->client = Given<PJRT_Client>(), kOk;
  };
  t.PJRT_Client_Destroy = [](PJRT_Client_Destroy_Args*) { return kOk; };
  t.PJRT_Client_PlatformName = [](PJRT_Client_PlatformName_Args* a) {
    return a->platform_name = "fake", a->platform_name_size = 4, kOk;
  };
  t.PJRT_Client_PlatformVersion = [](PJRT_Client_PlatformVersion_Args*) { return kOk; };
  t.PJRT_Client_ProcessIndex = [](PJRT_Client_ProcessIndex_Args*) { return kOk; };
  t.PJRT_Client_AddressableDevices = [](PJRT_Client_AddressableDevices_Args* a) {
    a->addressable_devices = kDevices;
    a->num_addressable_devices = behaviour.devices;
    return kOk;
  };
  t.PJRT_Device_GetDescription = [](PJRT_Device_GetDescription_Args*) { return kOk; };
  t.PJRT_Device_LocalHardwareId = [](PJRT_Device_LocalHardwareId_Args*) { return kOk; };
  t.PJRT_DeviceDescription_Id = [](PJRT_DeviceDescription_Id_Args*) { return kOk; };
  t.PJRT_DeviceDescription_ProcessIndex = [](PJRT_DeviceDescription_ProcessIndex_Args*) {
    return kOk;
  };
  t.PJRT_DeviceDescription_Kind = [](PJRT_DeviceDescription_Kind_Args*) { return kOk; };
  t.PJRT_DeviceDescription_ToString = [](PJRT_DeviceDescription_ToString_Args*) { return kOk; };
  t.PJRT_DeviceDescription_DebugString = [](PJRT_DeviceDescription_DebugString_Args*) {
    return kOk;
  };
  t.PJRT_Client_Compile = [](PJRT_Client_Compile_Args* a) {
    return a->executable = Given<PJRT_LoadedExecutable>(), kOk;
  };
  t.PJRT_Client_BufferFromHostBuffer = [](PJRT_Client_BufferFromHostBuffer_Args* a) {
    return a->buffer = Given<PJRT_Buffer>(), kOk;
  };
}

inline void AddProgramSlots(PJRT_Api& t) {
  t.PJRT_Executable_Destroy = [](PJRT_Executable_Destroy_Args*) { return kOk; };
  t.PJRT_LoadedExecutable_Destroy = [](PJRT_LoadedExecutable_Destroy_Args*) { return kOk; };
  t.PJRT_LoadedExecutable_GetExecutable = [](PJRT_LoadedExecutable_GetExecutable_Args* a) {
    return a->executable = Given<PJRT_Executable>(), kOk;
  };
  t.PJRT_Executable_NumOutputs = [](PJRT_Executable_NumOutputs_Args* a) {
    return a->num_outputs = 1, kOk;
  };
  t.PJRT_LoadedExecutable_AddressableDevices =
      [](PJRT_LoadedExecutable_AddressableDevices_Args* a) {
        a->addressable_devices = kDevices;
        a->num_addressable_devices = behaviour.program_devices;
        return kOk;
      };
  t.PJRT_LoadedExecutable_Execute = [](PJRT_LoadedExecutable_Execute_Args* a) {
    for (size_t i = 0; i < a->num_devices; ++i) {
      a->output_lists[i][0] = Object<PJRT_Buffer>();
      if (a->device_complete_events != nullptr) {
        a->device_complete_events[i] = Object<PJRT_Event>();
      }
    }
    return kOk;
  };
  t.PJRT_Buffer_Destroy = [](PJRT_Buffer_Destroy_Args*) {
    return ++behaviour.destroyed_buffers, kOk;
  };
  t.PJRT_Event_Destroy = [](PJRT_Event_Destroy_Args*) { return ++behaviour.destroyed_events, kOk; };
  t.PJRT_Event_OnReady = [](PJRT_Event_OnReady_Args* a) { return behaviour.waiting = *a, kOk; };
}

class FakeClientTest : public ::testing::Test {
 protected:
  FakeClientTest() : table_(FakeTable()) {
    behaviour = Behaviour();
    AddClientSlots(table_);
    AddProgramSlots(table_);
  }

  absl::StatusOr<Client> NewClient() {
    auto plugin = Plugin::FromTable(&table_, "fake");
    if (!plugin.ok()) return plugin.status();
    return Client::Create(*plugin, {});
  }

  PJRT_Api table_;
};

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_FAKE_CLIENT_TESTING_H_
