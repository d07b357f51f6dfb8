// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/header_reader.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hlo/text/errors.h"
#include "hlo/text/shape_reader.h"
#include "hlo/text/value_reader.h"

namespace axle::hlo::text {
namespace {

// {0}: (1, {2}, must-alias)
absl::Status ReadAlias(Reader& reader, std::vector<InputOutputAlias>& aliases) {
  InputOutputAlias alias;
  AXLE_ASSIGN_OR_RETURN(alias.output_index, ReadShapeIndex(reader));
  AXLE_RETURN_IF_ERROR(reader.Take(':', "behind the index of a result"));
  AXLE_RETURN_IF_ERROR(reader.Take('(', "before a parameter number"));
  AXLE_ASSIGN_OR_RETURN(alias.parameter, reader.TakeInt64("a parameter number"));
  AXLE_RETURN_IF_ERROR(reader.Take(',', "behind a parameter number"));
  AXLE_ASSIGN_OR_RETURN(alias.parameter_index, ReadShapeIndex(reader));
  if (reader.Try(',')) {
    if (reader.TryWord("must-alias")) {
      alias.kind = AliasKind::kMust;
    } else if (!reader.TryWord("may-alias")) {
      return reader.Expected("may-alias or must-alias");
    }
  }
  aliases.push_back(std::move(alias));
  return reader.Take(')', "behind an alias");
}

// (0, {1})
absl::Status ReadDonor(Reader& reader, std::vector<BufferDonor>& donors) {
  BufferDonor donor;
  AXLE_RETURN_IF_ERROR(reader.Take('(', "before a parameter number"));
  AXLE_ASSIGN_OR_RETURN(donor.parameter, reader.TakeInt64("a parameter number"));
  AXLE_RETURN_IF_ERROR(reader.Take(',', "behind a parameter number"));
  AXLE_ASSIGN_OR_RETURN(donor.parameter_index, ReadShapeIndex(reader));
  donors.push_back(std::move(donor));
  return reader.Take(')', "behind a donor");
}

// {(f32[2]{0}, s32[])->f32[2]{0}}
absl::Status ReadEntryLayout(Reader& reader, ModuleConfig& config) {
  ProgramShape& layout = config.entry_layout.emplace();
  AXLE_RETURN_IF_ERROR(reader.Take('{', "before the entry's layout"));
  AXLE_RETURN_IF_ERROR(reader.TakeList('(', ')', "parameter shapes", [&]() -> absl::Status {
    AXLE_ASSIGN_OR_RETURN(Shape shape, ReadShape(reader));
    layout.parameters.push_back(std::move(shape));
    return absl::OkStatus();
  }));
  AXLE_RETURN_IF_ERROR(reader.TakeKind(TokenKind::kArrow, "'->' before the result's shape"));
  AXLE_ASSIGN_OR_RETURN(layout.result, ReadShape(reader));
  return reader.Take('}', "behind the entry's layout");
}

absl::Status ReadHeaderValue(Reader& reader, absl::string_view key, ModuleConfig& config) {
  if (key == "is_scheduled") return ReadValue(reader, key, config.is_scheduled);
  if (key == "replica_count") return ReadValue(reader, key, config.replica_count);
  if (key == "num_partitions") return ReadValue(reader, key, config.num_partitions);
  if (key == "input_output_alias") {
    return reader.TakeList('{', '}', "aliases", [&] { return ReadAlias(reader, config.aliases); });
  }
  if (key == "buffer_donor") {
    return reader.TakeList('{', '}', "donors", [&] { return ReadDonor(reader, config.donors); });
  }
  if (key == "entry_computation_layout") return ReadEntryLayout(reader, config);
  if (key == "frontend_attributes") {
    return ReadFrontendAttributes(reader, config.frontend_attributes);
  }
  if (key == "allow_spmd_sharding_propagation_to_parameters") {
    return ReadBools(reader, key, config.allow_spmd_sharding_propagation_to_parameters);
  }
  if (key == "allow_spmd_sharding_propagation_to_output") {
    return ReadBools(reader, key, config.allow_spmd_sharding_propagation_to_output);
  }
  AXLE_ASSIGN_OR_RETURN(const absl::string_view value,
                        reader.TakeRawValue(absl::StrCat("a value for ", key)));
  config.unknown_text.emplace_back(key, value);
  return absl::OkStatus();
}

// The number that counts the rows of a table, before each.
bool TryRowNumber(Reader& reader) {
  // "1 {…}" or "1 "…"": anything else with a number in front is not a row.
  return reader.TryKind(TokenKind::kNumber);
}

absl::Status ReadNames(Reader& reader, std::vector<std::string>& names) {
  while (TryRowNumber(reader)) {
    AXLE_ASSIGN_OR_RETURN(std::string name, reader.TakeString("a name"));
    names.push_back(std::move(name));
  }
  return absl::OkStatus();
}

struct RowField {
  absl::string_view key;
  int32_t* value;
};

// {key=1 key=2}: every key exactly once.
absl::Status ReadRow(Reader& reader, absl::Span<const RowField> fields) {
  const size_t begin = reader.token().begin;
  std::vector<bool> seen(fields.size());
  AXLE_RETURN_IF_ERROR(reader.Take('{', "before a row"));
  while (!reader.At('}')) {
    const size_t offset = reader.token().begin;
    AXLE_ASSIGN_OR_RETURN(const absl::string_view key, reader.TakeWord("a key or '}'"));
    AXLE_RETURN_IF_ERROR(reader.Take('=', "in a row"));
    size_t i = 0;
    while (i < fields.size() && fields[i].key != key) ++i;
    if (i == fields.size() || seen[i]) {
      return reader.Error(errors::kSyntax, offset,
                          absl::StrCat("unexpected key '", key, "' in a row"));
    }
    seen[i] = true;
    AXLE_ASSIGN_OR_RETURN(*fields[i].value, reader.TakeInt32(key));
    reader.Try(',');
  }
  reader.Next();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!seen[i]) {
      return reader.Error(errors::kMissingAttribute, begin,
                          absl::StrCat("a row lacks ", fields[i].key));
    }
  }
  return absl::OkStatus();
}

absl::Status ReadLocations(Reader& reader, std::vector<StackFrames::Location>& locations) {
  while (TryRowNumber(reader)) {
    StackFrames::Location& row = locations.emplace_back();
    const RowField fields[] = {{"file_name_id", &row.file_name_id},
                               {"function_name_id", &row.function_name_id},
                               {"line", &row.line},
                               {"end_line", &row.end_line},
                               {"column", &row.column},
                               {"end_column", &row.end_column}};
    AXLE_RETURN_IF_ERROR(ReadRow(reader, fields));
  }
  return absl::OkStatus();
}

absl::Status ReadFrames(Reader& reader, std::vector<StackFrames::Frame>& frames) {
  while (TryRowNumber(reader)) {
    StackFrames::Frame& row = frames.emplace_back();
    const size_t begin = reader.token().begin;
    const RowField fields[] = {{"file_location_id", &row.file_location_id},
                               {"parent_frame_id", &row.parent_frame_id}};
    AXLE_RETURN_IF_ERROR(ReadRow(reader, fields));
    // The text counts parents from one higher than the tables do: 1 is none.
    if (row.parent_frame_id < 1) {
      return reader.Error(errors::kNumberRange, begin, "parent_frame_id must be at least 1");
    }
    --row.parent_frame_id;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadHeader(Reader& reader, Module& module) {
  reader.Next();
  if (reader.AtKind(TokenKind::kString)) {
    AXLE_ASSIGN_OR_RETURN(module.name, reader.TakeString("a module name"));
  } else {
    AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader.TakeName("a module name"));
    module.name = std::string(name);
    reader.Try(':');
  }
  absl::flat_hash_set<absl::string_view> seen;
  while (reader.Try(',')) {
    const size_t begin = reader.token().begin;
    AXLE_ASSIGN_OR_RETURN(const absl::string_view key, reader.TakeWord("the name of an attribute"));
    if (!seen.insert(key).second) {
      return reader.Error(errors::kDuplicateAttribute, begin,
                          absl::StrCat("the attribute ", key, " is given twice"));
    }
    AXLE_RETURN_IF_ERROR(reader.Take('=', absl::StrCat("behind the attribute ", key)));
    AXLE_RETURN_IF_ERROR(ReadHeaderValue(reader, key, module.config));
  }
  return absl::OkStatus();
}

absl::Status ReadStackFrames(Reader& reader, StackFrames& frames) {
  if (reader.TryWord("FileNames")) AXLE_RETURN_IF_ERROR(ReadNames(reader, frames.file_names));
  if (reader.TryWord("FunctionNames")) {
    AXLE_RETURN_IF_ERROR(ReadNames(reader, frames.function_names));
  }
  if (reader.TryWord("FileLocations")) {
    AXLE_RETURN_IF_ERROR(ReadLocations(reader, frames.file_locations));
  }
  if (reader.TryWord("StackFrames")) {
    AXLE_RETURN_IF_ERROR(ReadFrames(reader, frames.stack_frames));
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::text
