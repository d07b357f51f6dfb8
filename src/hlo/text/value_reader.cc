// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/value_reader.h"

#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "hlo/text/errors.h"
#include "hlo/text/literal_reader.h"
#include "hlo/text/shape_reader.h"
#include "hlo/text/sharding_reader.h"

namespace axle::hlo::text {

absl::Status ReadValue(Reader& reader, absl::string_view key, bool& value) {
  AXLE_ASSIGN_OR_RETURN(value, reader.TakeBool(key));
  return absl::OkStatus();
}

absl::Status ReadValue(Reader& reader, absl::string_view key, int64_t& value) {
  AXLE_ASSIGN_OR_RETURN(value, reader.TakeInt64(absl::StrCat("an integer for ", key)));
  return absl::OkStatus();
}

absl::Status ReadValue(Reader& reader, absl::string_view key, float& value) {
  const size_t begin = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(const double wide, reader.TakeDouble(absl::StrCat("a number for ", key)));
  value = static_cast<float>(wide);
  if (std::isinf(value) && !std::isinf(wide)) {
    return reader.Error(errors::kNumberRange, begin, absl::StrCat(key, " does not fit into f32"));
  }
  return absl::OkStatus();
}

// Text in quotes; of some fields also braces, kept as written.
absl::Status ReadValue(Reader& reader, absl::string_view key, std::string& value) {
  if (reader.At('{')) {
    AXLE_ASSIGN_OR_RETURN(const absl::string_view text, reader.TakeGroup(key));
    value = std::string(text);
    return absl::OkStatus();
  }
  AXLE_ASSIGN_OR_RETURN(value, reader.TakeString(absl::StrCat("text for ", key)));
  return absl::OkStatus();
}

absl::Status ReadValue(Reader& reader, absl::string_view key, std::vector<int64_t>& value) {
  AXLE_ASSIGN_OR_RETURN(value, reader.TakeInt64List('{', '}', key));
  return absl::OkStatus();
}

absl::Status ReadValue(Reader& reader, absl::string_view key, std::vector<bool>& value) {
  value.clear();
  return reader.TakeList('{', '}', key, [&]() -> absl::Status {
    AXLE_ASSIGN_OR_RETURN(const bool flag, reader.TakeBool(key));
    value.push_back(flag);
    return absl::OkStatus();
  });
}

absl::Status ReadBools(Reader& reader, absl::string_view key, std::vector<bool>& value) {
  if (reader.At('{')) return ReadValue(reader, key, value);
  AXLE_ASSIGN_OR_RETURN(const bool flag, reader.TakeBool(key));
  value = {flag};
  return absl::OkStatus();
}

absl::Status ReadValue(Reader& reader, absl::string_view key,
                       std::vector<std::vector<int64_t>>& value) {
  value.clear();
  return reader.TakeList('{', '}', key, [&]() -> absl::Status {
    AXLE_ASSIGN_OR_RETURN(std::vector<int64_t> list, reader.TakeInt64List('{', '}', key));
    value.push_back(std::move(list));
    return absl::OkStatus();
  });
}

absl::Status ReadValue(Reader& reader, absl::string_view, Shape& value) {
  AXLE_ASSIGN_OR_RETURN(value, ReadShape(reader));
  return absl::OkStatus();
}

absl::Status ReadValue(Reader& reader, absl::string_view key, std::vector<Shape>& value) {
  value.clear();
  return reader.TakeList('{', '}', key, [&]() -> absl::Status {
    AXLE_ASSIGN_OR_RETURN(Shape shape, ReadShape(reader));
    value.push_back(std::move(shape));
    return absl::OkStatus();
  });
}

absl::Status ReadValue(Reader& reader, absl::string_view key,
                       std::shared_ptr<const Literal>& value) {
  const size_t begin = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(value, ReadShapedLiteral(reader));
  if (value == nullptr) {
    return reader.Error(errors::kLiteral, begin,
                        absl::StrCat("the value of ", key, " is left out"));
  }
  return absl::OkStatus();
}

absl::Status ReadValue(Reader& reader, absl::string_view key, OperandPrecision& value) {
  value.values.clear();
  return reader.TakeList('{', '}', key, [&]() -> absl::Status {
    return ReadValue(reader, key, value.values.emplace_back());
  });
}

namespace {

absl::Status ReadTolerance(Reader& reader, ResultAccuracy::Tolerance& tolerance) {
  return reader.TakeList('{', '}', "a tolerance", [&]() -> absl::Status {
    AXLE_ASSIGN_OR_RETURN(const absl::string_view key, reader.TakeWord("atol, rtol or ulps"));
    AXLE_RETURN_IF_ERROR(reader.Take('=', "in a tolerance"));
    if (key == "atol") {
      AXLE_ASSIGN_OR_RETURN(tolerance.atol, reader.TakeDouble("a number for atol"));
    } else if (key == "rtol") {
      AXLE_ASSIGN_OR_RETURN(tolerance.rtol, reader.TakeDouble("a number for rtol"));
    } else if (key == "ulps") {
      AXLE_ASSIGN_OR_RETURN(tolerance.ulps, reader.TakeInt64("an integer for ulps"));
    } else {
      return reader.Expected("atol, rtol or ulps in a tolerance");
    }
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status ReadValue(Reader& reader, absl::string_view key, ResultAccuracy& value) {
  return reader.TakeList('{', '}', "a result accuracy", [&]() -> absl::Status {
    if (reader.TryWord("mode")) {
      AXLE_RETURN_IF_ERROR(reader.Take('=', "behind mode"));
      return ReadValue(reader, key, value.mode);
    }
    if (reader.TryWord("tolerance")) {
      AXLE_RETURN_IF_ERROR(reader.Take('=', "behind tolerance"));
      ResultAccuracy::Tolerance tolerance;
      AXLE_RETURN_IF_ERROR(ReadTolerance(reader, tolerance));
      value.tolerance = tolerance;
      return absl::OkStatus();
    }
    return reader.Expected("mode or tolerance in a result accuracy");
  });
}

namespace {

absl::Status ReadReplicaMesh(Reader& reader, ReplicaGroups& value) {
  // mesh['x'=2,'y'=2] {'x'}, perhaps with ", device_ids=(…)" before the braces.
  const size_t begin = reader.token().begin;
  reader.Try('@');
  AXLE_RETURN_IF_ERROR(reader.TakeWord("a mesh").status());
  if (reader.At('[')) AXLE_RETURN_IF_ERROR(reader.TakeGroup("the axes of a mesh").status());
  if (reader.At(',') && reader.Ahead().text == "device_ids") {
    reader.Next();
    reader.Next();
    AXLE_RETURN_IF_ERROR(reader.Take('=', "behind device_ids"));
    AXLE_RETURN_IF_ERROR(reader.TakeGroup("the devices of a mesh").status());
  }
  const size_t axes = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view group, reader.TakeGroup("the axes of the groups"));
  value.kind = ReplicaGroups::Kind::kMesh;
  value.mesh = std::string(reader.text().substr(begin, axes + group.size() - begin));
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadValue(Reader& reader, absl::string_view key, ReplicaGroups& value) {
  value = ReplicaGroups();
  if (reader.At('{')) return ReadValue(reader, key, value.groups);
  if (reader.AtKind(TokenKind::kString)) {  // a mesh that only exists as a wire message
    value.kind = ReplicaGroups::Kind::kMesh;
    return ReadValue(reader, key, value.mesh);
  }
  if (!reader.At('[')) return ReadReplicaMesh(reader, value);
  const size_t begin = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                        reader.TakeInt64List('[', ']', "replica_groups"));
  if (dims.size() != 2) {
    return reader.Error(errors::kSyntax, begin,
                        "expected the number of groups and their size: [groups,size]");
  }
  value.kind = ReplicaGroups::Kind::kIota;
  value.group_count = dims[0];
  value.group_size = dims[1];
  AXLE_RETURN_IF_ERROR(reader.TakeKind(TokenKind::kLessEqual, "'<=' in replica_groups"));
  return ReadIota(reader, value.reshape_dims, value.transpose_perm);
}

absl::Status ReadValue(Reader& reader, absl::string_view key, SourceTargetPairs& value) {
  value.pairs.clear();
  return reader.TakeList('{', '}', key, [&]() -> absl::Status {
    const size_t begin = reader.token().begin;
    AXLE_ASSIGN_OR_RETURN(const std::vector<int64_t> pair,
                          reader.TakeInt64List('{', '}', "a pair of devices"));
    if (pair.size() != 2) {
      return reader.Error(errors::kSyntax, begin,
                          "expected a source and a target: {source,target}");
    }
    value.pairs.emplace_back(pair[0], pair[1]);
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<int64_t>> ReadShapeIndex(Reader& reader) {
  return reader.TakeInt64List('{', '}', "an index into a shape");
}

absl::Status ReadValue(Reader& reader, absl::string_view key, OutputOperandAliases& value) {
  value.clear();
  return reader.TakeList('{', '}', key, [&]() -> absl::Status {
    OutputOperandAlias alias;
    AXLE_ASSIGN_OR_RETURN(alias.output_index, ReadShapeIndex(reader));
    AXLE_RETURN_IF_ERROR(reader.Take(':', "behind the index of a result"));
    AXLE_RETURN_IF_ERROR(reader.Take('(', "before an operand's number"));
    AXLE_ASSIGN_OR_RETURN(alias.operand, reader.TakeInt64("an operand's number"));
    AXLE_RETURN_IF_ERROR(reader.Take(',', "behind an operand's number"));
    AXLE_ASSIGN_OR_RETURN(alias.operand_index, ReadShapeIndex(reader));
    value.push_back(std::move(alias));
    return reader.Take(')', "behind an operand's index");
  });
}

absl::Status ReadValue(Reader& reader, absl::string_view, DomainShardings& value) {
  return reader.TakeList('{', '}', "a domain", [&]() -> absl::Status {
    AXLE_ASSIGN_OR_RETURN(const absl::string_view key, reader.TakeWord("kind, entry or exit"));
    AXLE_RETURN_IF_ERROR(reader.Take('=', "in a domain"));
    if (key == "kind") {
      AXLE_ASSIGN_OR_RETURN(value.kind, reader.TakeString("the kind of a domain"));
      return absl::OkStatus();
    }
    if (key != "entry" && key != "exit") return reader.Expected("kind, entry or exit in a domain");
    std::optional<Sharding>& side = key == "entry" ? value.entry : value.exit;
    AXLE_ASSIGN_OR_RETURN(Sharding sharding, ReadSharding(reader));
    const bool absent = sharding.type == Sharding::Type::kTuple && sharding.elements.empty();
    if (!absent) side = std::move(sharding);
    return absl::OkStatus();
  });
}

absl::Status ReadFrontendAttributes(Reader& reader, FrontendAttributes& attributes) {
  return reader.TakeList('{', '}', "frontend attributes", [&]() -> absl::Status {
    std::string key;
    if (reader.AtKind(TokenKind::kString)) {
      AXLE_ASSIGN_OR_RETURN(key, reader.TakeString("a key"));
    } else {
      AXLE_ASSIGN_OR_RETURN(const absl::string_view word,
                            reader.TakeCharacters("_.-/:", "the key of a frontend attribute"));
      key = std::string(word);
    }
    AXLE_RETURN_IF_ERROR(reader.Take('=', "behind the key of a frontend attribute"));
    return ReadValue(reader, key, attributes[key]);
  });
}

namespace {

// Text that many instructions have.
absl::Status ReadMetadataText(Reader& reader, absl::string_view key, SharedString& value) {
  AXLE_ASSIGN_OR_RETURN(const std::string text, reader.TakeString(key));
  value = reader.strings.Intern(text);
  return absl::OkStatus();
}

absl::Status ReadOpName(Reader& reader, absl::string_view key, SharedString& value) {
  std::string text;
  AXLE_RETURN_IF_ERROR(ReadValue(reader, key, text));
  value = text;
  return absl::OkStatus();
}

absl::Status ReadMetadataNumber(Reader& reader, absl::string_view key, int32_t& value) {
  AXLE_ASSIGN_OR_RETURN(value, reader.TakeInt32(key));
  return absl::OkStatus();
}

absl::Status ReadProfileTypes(Reader& reader, Metadata& metadata) {
  return reader.TakeList('{', '}', "profile types", [&]() -> absl::Status {
    AXLE_ASSIGN_OR_RETURN(const int32_t type, reader.TakeInt32("a profile type"));
    metadata.mutable_rare().profile_types.push_back(type);
    return absl::OkStatus();
  });
}

// A key without a field: kept with its value, as written.
absl::Status ReadUnknownMetadata(Reader& reader, absl::string_view key, std::string& unknown) {
  const size_t begin = reader.token().begin;
  size_t end = reader.lexer().end();
  if (reader.At('{')) {
    AXLE_ASSIGN_OR_RETURN(const absl::string_view group, reader.TakeGroup(key));
    end = begin + group.size();
  } else if (reader.AtKind(TokenKind::kWord) || reader.AtKind(TokenKind::kNumber) ||
             reader.AtKind(TokenKind::kString)) {
    reader.Next();
  } else {
    return reader.Expected(absl::StrCat("a value for ", key));
  }
  absl::StrAppend(&unknown, " ", key, "=", reader.text().substr(begin, end - begin));
  return absl::OkStatus();
}

// `unknown` collects what becomes Metadata::unknown_text.
absl::Status ReadMetadataField(Reader& reader, Metadata& metadata, std::string& unknown) {
  AXLE_ASSIGN_OR_RETURN(const absl::string_view key, reader.TakeWord("a key of metadata"));
  AXLE_RETURN_IF_ERROR(reader.Take('=', "behind a key of metadata"));
  if (key == "op_type") return ReadMetadataText(reader, key, metadata.op_type);
  if (key == "op_name") return ReadOpName(reader, key, metadata.op_name);
  if (key == "source_file") return ReadMetadataText(reader, key, metadata.source_file);
  if (key == "source_line") return ReadMetadataNumber(reader, key, metadata.source_line);
  if (key == "source_end_line") return ReadMetadataNumber(reader, key, metadata.source_end_line);
  if (key == "source_column") return ReadMetadataNumber(reader, key, metadata.source_column);
  if (key == "source_end_column") {
    return ReadMetadataNumber(reader, key, metadata.source_end_column);
  }
  if (key == "stack_frame_id") return ReadMetadataNumber(reader, key, metadata.stack_frame_id);
  if (key == "deduplicated_name") {
    return ReadMetadataText(reader, key, metadata.mutable_rare().deduplicated_name);
  }
  if (key == "scheduling_name")
    return ReadMetadataText(reader, key, metadata.mutable_rare().scheduling_name);
  if (key == "size_of_generated_code_in_bytes") {
    return ReadValue(reader, key, metadata.mutable_rare().size_of_generated_code_in_bytes);
  }
  if (key == "size_of_memory_working_set_in_bytes") {
    return ReadValue(reader, key, metadata.mutable_rare().size_of_memory_working_set_in_bytes);
  }
  if (key == "profile_type" && reader.At('{') && reader.Ahead().kind == TokenKind::kNumber) {
    return ReadProfileTypes(reader, metadata);
  }
  return ReadUnknownMetadata(reader, key, unknown);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Metadata>> ReadMetadata(Reader& reader) {
  const Lexer begin = reader.lexer();
  AXLE_ASSIGN_OR_RETURN(const absl::string_view text, reader.TakeGroup("metadata"));
  const auto found = reader.metadata_by_text.find(text);
  if (found != reader.metadata_by_text.end()) return found->second;
  reader.lexer() = begin;
  auto metadata = std::make_shared<Metadata>();
  std::string unknown;
  AXLE_RETURN_IF_ERROR(reader.Take('{', "before metadata"));
  while (!reader.At('}')) {
    AXLE_RETURN_IF_ERROR(ReadMetadataField(reader, *metadata, unknown));
    reader.Try(',');
  }
  reader.Next();
  metadata->unknown_text = unknown;
  if (reader.metadata_by_text.size() == Reader::kMostMetadata) reader.metadata_by_text.clear();
  reader.metadata_by_text.emplace(text, metadata);
  return std::shared_ptr<const Metadata>(std::move(metadata));
}

}  // namespace axle::hlo::text
