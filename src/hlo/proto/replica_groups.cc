// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/replica_groups.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "hlo/proto/errors.h"
#include "hlo/proto/family_codec.h"
#include "hlo/proto/sharding_codec.h"

namespace axle::hlo::proto {
namespace {

using MeshList = wire::MeshAxesReplicaGroupListProto;

// ---- Mesh text: mesh['a'=2,'b'=4] {'a','b':(1)2} ------------------------------------------------
// Sizes of all axes, then the axes that the groups span; (1)2 is the part of size 2 of an axis that
// comes after a part of size 1.

std::optional<std::string> MeshText(const MeshList& list) {
  constexpr int kMaxAxes = 64;  // names are looked up one by one
  if (!list.mesh().device_ids().empty() || list.mesh().axes_size() > kMaxAxes) return std::nullopt;
  std::string text = "mesh[";
  absl::string_view comma = "";
  for (const wire::MeshProto::MeshAxis& axis : list.mesh().axes()) {
    if (absl::StrContains(axis.name(), "'")) return std::nullopt;
    absl::StrAppend(&text, comma, "'", axis.name(), "'=", axis.size());
    comma = ",";
  }
  absl::StrAppend(&text, "] {");
  comma = "";
  for (const wire::AxisRefProto& axis : list.axes()) {
    const int64_t index = axis.mesh_axis_index();
    if (index < 0 || index >= list.mesh().axes_size()) return std::nullopt;
    absl::StrAppend(&text, comma, "'", list.mesh().axes(static_cast<int>(index)).name(), "'");
    if (axis.has_sub_axis_info()) {
      absl::StrAppend(&text, ":(", axis.sub_axis_info().pre_size(), ")",
                      axis.sub_axis_info().size());
    }
    comma = ",";
  }
  return absl::StrCat(text, "}");
}

class MeshParser {
 public:
  explicit MeshParser(absl::string_view text) : rest_(text) {}

  bool Parse(MeshList* list) {
    if (!Take("mesh[")) return false;
    std::string name;
    int64_t number;
    while (!Take("]")) {
      if (!Quoted(&name) || !Take("=") || !Number(&number)) return false;
      wire::MeshProto::MeshAxis* axis = list->mutable_mesh()->add_axes();
      axis->set_name(name);
      axis->set_size(number);
      if (!Take(",") && !absl::StartsWith(rest_, "]")) return false;
    }
    if (!Take("{")) return false;
    while (!Take("}")) {
      if (!Axis(list)) return false;
      if (!Take(",") && !absl::StartsWith(rest_, "}")) return false;
    }
    return absl::StripAsciiWhitespace(rest_).empty();
  }

 private:
  bool Take(absl::string_view token) {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    return absl::ConsumePrefix(&rest_, token);
  }

  bool Quoted(std::string* name) {
    if (!Take("'")) return false;
    const size_t end = rest_.find('\'');
    if (end == absl::string_view::npos) return false;
    *name = std::string(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool Number(int64_t* number) {
    const size_t end = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (!absl::SimpleAtoi(rest_.substr(0, end), number)) return false;
    rest_.remove_prefix(end);
    return true;
  }

  bool Axis(MeshList* list) {
    std::string name;
    if (!Quoted(&name)) return false;
    wire::AxisRefProto* axis = list->add_axes();
    int index = 0;
    while (index < list->mesh().axes_size() && list->mesh().axes(index).name() != name) ++index;
    if (index == list->mesh().axes_size()) return false;
    axis->set_mesh_axis_index(index);
    if (!Take(":")) return true;
    int64_t pre_size, size;
    if (!Take("(") || !Number(&pre_size) || !Take(")") || !Number(&size)) return false;
    axis->mutable_sub_axis_info()->set_pre_size(pre_size);
    axis->mutable_sub_axis_info()->set_size(size);
    return true;
  }

  absl::string_view rest_;
};

void ReadIota(const wire::IotaReplicaGroupListProto& proto, ReadContext& context,
              ReplicaGroups* groups) {
  context.Note(proto);
  groups->kind = ReplicaGroups::Kind::kIota;
  groups->group_count = proto.num_replica_groups();
  groups->group_size = proto.num_devices_per_group();
  groups->reshape_dims = ToVector(proto.iota_reshape_dims());
  groups->transpose_perm = ReadPermutation(proto.iota_transpose_perm());
}

void ReadList(const google::protobuf::RepeatedPtrField<wire::ReplicaGroup>& proto,
              ReadContext& context, ReplicaGroups* groups) {
  groups->groups.reserve(proto.size());
  for (const wire::ReplicaGroup& group : proto) {
    context.Note(group);
    groups->groups.push_back(ToVector(group.replica_ids()));
  }
}

}  // namespace

absl::StatusOr<ReplicaGroups> ReadReplicaGroups(const wire::HloInstructionProto& proto,
                                                ReadContext& context) {
  ReplicaGroups groups;
  if (proto.has_iota_collective_device_list()) {
    ReadIota(proto.iota_collective_device_list(), context, &groups);
  } else if (proto.has_mesh_axes_replica_group_list()) {
    const MeshList& list = proto.mesh_axes_replica_group_list();
    groups.kind = ReplicaGroups::Kind::kMesh;
    MeshList again;
    const std::optional<std::string> text = MeshText(list);
    // Text only if nothing is lost: unknown fields would be.
    const bool faithful = text.has_value() && MeshParser(*text).Parse(&again) &&
                          again.SerializeAsString() == list.SerializeAsString();
    groups.mesh = faithful ? *text : list.SerializeAsString();
  } else if (proto.has_collective_device_list()) {
    const wire::CollectiveDeviceListProto& list = proto.collective_device_list();
    context.Note(list);
    if (list.has_iota_replica_group_list()) {
      ReadIota(list.iota_replica_group_list(), context, &groups);
    } else {
      ReadList(list.replica_groups(), context, &groups);
    }
  } else {
    ReadList(proto.replica_groups(), context, &groups);
  }
  return groups;
}

absl::Status WriteReplicaGroups(const ReplicaGroups& groups, wire::HloInstructionProto& proto) {
  switch (groups.kind) {
    case ReplicaGroups::Kind::kList: {
      wire::CollectiveDeviceListProto* list = proto.mutable_collective_device_list();
      for (const std::vector<int64_t>& group : groups.groups) {
        Assign(group, list->add_replica_groups()->mutable_replica_ids());
      }
      return absl::OkStatus();
    }
    case ReplicaGroups::Kind::kIota: {
      wire::IotaReplicaGroupListProto* list = proto.mutable_iota_collective_device_list();
      list->set_num_replica_groups(groups.group_count);
      list->set_num_devices_per_group(groups.group_size);
      Assign(groups.reshape_dims, list->mutable_iota_reshape_dims());
      return WritePermutation(groups.transpose_perm, groups.reshape_dims.size(),
                              list->mutable_iota_transpose_perm());
    }
    case ReplicaGroups::Kind::kMesh: {
      MeshList* list = proto.mutable_mesh_axes_replica_group_list();
      const bool ok = IsWireForm(groups.mesh) ? list->ParseFromString(groups.mesh)
                                              : MeshParser(groups.mesh).Parse(list);
      if (ok) return absl::OkStatus();
      return MakeError(errors::kNotHeld, absl::StrCat("replica_groups=", groups.mesh));
    }
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::proto
