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

// Equal metadata that one reader returns is one object. Not thread-safe.
class MetadataReader {
 public:
  // Null when the message says nothing. Fields that Metadata has no place for, unknown ones
  // included, go into its unknown_wire.
  absl::StatusOr<std::shared_ptr<const Metadata>> Read(const wire::OpMetadata& proto);

 private:
  // Finds metadata by its content.
  struct Hash {
    using is_transparent = void;
    size_t operator()(const Metadata& metadata) const;
    size_t operator()(const std::shared_ptr<const Metadata>& metadata) const {
      return (*this)(*metadata);
    }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const std::shared_ptr<const Metadata>& a,
                    const std::shared_ptr<const Metadata>& b) const {
      return *a == *b;
    }
    bool operator()(const std::shared_ptr<const Metadata>& a, const Metadata& b) const {
      return *a == b;
    }
  };
  StringInterner strings_;
  absl::flat_hash_set<std::shared_ptr<const Metadata>, Hash, Equal> seen_;
  Metadata scratch_;  // of the last Read
};

// Overwrites the message. Text without a wire form (unknown_text) is left out.
absl::Status WriteMetadata(const Metadata& metadata, wire::OpMetadata* proto);

absl::StatusOr<FrontendAttributes> ReadFrontendAttributes(const wire::FrontendAttributes& proto);
absl::Status WriteFrontendAttributes(const FrontendAttributes& attributes,
                                     wire::FrontendAttributes* proto);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_METADATA_CODEC_H_
