// SPDX-License-Identifier: Apache-2.0
#ifndef AXLE_HLO_PROTO_MESSAGE_ARENA_H_
#define AXLE_HLO_PROTO_MESSAGE_ARENA_H_

#include <memory>

#include "google/protobuf/arena.h"
#include "proto/hlo.pb.h"

namespace axle::hlo::proto {

// Memory for one instruction message at a time. Most fit into a block that is used over and over.
class MessageArena {
 public:
  MessageArena() : block_(new char[kBlockBytes]), arena_(block_.get(), kBlockBytes) {}

  // An empty message. The one before it is gone.
  wire::HloInstructionProto* NewInstruction() {
    arena_.Reset();
    return google::protobuf::Arena::CreateMessage<wire::HloInstructionProto>(&arena_);
  }

 private:
  static constexpr size_t kBlockBytes = 64 << 10;
  std::unique_ptr<char[]> block_;
  google::protobuf::Arena arena_;
};

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_MESSAGE_ARENA_H_
