// SPDX-License-Identifier: Apache-2.0
// A client of a plugin with what is known about its devices; shared by all objects of the client,
// so that it outlives them.
#ifndef AXLE_PJRT_CLIENT_CLIENT_STATE_H_
#define AXLE_PJRT_CLIENT_CLIENT_STATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "pjrt_client/api.h"

namespace axle::pjrt_client {

struct Memory {
  PJRT_Memory* handle = nullptr;
  int id = 0;
  std::string kind;         // "device", "pinned_host" …
  std::string description;  // for people
};

struct Device {
  PJRT_Device* handle = nullptr;
  int id = 0;  // among all processes; device assignments name it
  int local_hardware_id = 0;
  int process_index = 0;
  std::string kind;         // the model, e.g. "cpu"
  std::string description;  // for people
  std::string debug;        // longer
  std::vector<Memory> memories;
  int default_memory = -1;  // index into memories; -1 when the plugin names none
};

// Immutable once built.
struct ClientState {
  ClientState(Api api_in, PJRT_Client* client_in) : api(api_in), client(client_in) {}
  ~ClientState() {
    Destroy<&PJRT_Api::PJRT_Client_Destroy, &PJRT_Client_Destroy_Args::client,
            PJRT_Client_Destroy_Args>(api, client);
  }
  ClientState(const ClientState&) = delete;
  ClientState& operator=(const ClientState&) = delete;

  const Api api;
  PJRT_Client* const client;
  std::string platform_name;
  std::string platform_version;
  int process_index = 0;
  std::vector<Device> devices;  // those that this process can use, in the plugin's order
};

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_CLIENT_STATE_H_
