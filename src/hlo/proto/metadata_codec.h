// SPDX-License-Identifier: Apache-2.0
// Metadata and FrontendAttributes from and to their wire forms.
#ifndef AXLE_HLO_PROTO_METADATA_CODEC_H_
#define AXLE_HLO_PROTO_METADATA_CODEC_H_

#include <memory>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/shared_string.h"
#include "hlo/instruction.h"
#include "proto/xla_data.pb.h"

namespace axle::hlo::proto {

// Equal metadata that one reader returns soon after each other is one object. Not thread-safe.
class MetadataReader {
 public:
  // Null when the message says nothing. Fields that Metadata has no place for, unknown ones
  // included, go into its unknown_wire.
  absl::StatusOr<std::shared_ptr<const Metadata>> Read(const wire::OpMetadata& proto);

 private:
  // Finds metadata by its content.
  struct Hash {
    size_t operator()(const std::shared_ptr<const Metadata>& metadata) const;
  };
  struct Equal {
    bool operator()(const std::shared_ptr<const Metadata>& a,
                    const std::shared_ptr<const Metadata>& b) const {
      return *a == *b;
    }
  };
  StringInterner strings_;
  // Bounded, because most metadata occurs once and what occurs again does so nearby: all is
  // forgotten when it is full.
  static constexpr size_t kMostSeen = 1 << 12;
  absl::flat_hash_set<std::shared_ptr<const Metadata>, Hash, Equal> seen_;
};

// Overwrites the message. Text without a wire form (unknown_text) is left out.
absl::Status WriteMetadata(const Metadata& metadata, wire::OpMetadata* proto);

absl::StatusOr<FrontendAttributes> ReadFrontendAttributes(const wire::FrontendAttributes& proto);
absl::Status WriteFrontendAttributes(const FrontendAttributes& attributes,
                                     wire::FrontendAttributes* proto);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_METADATA_CODEC_H_
