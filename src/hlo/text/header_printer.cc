// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/header_printer.h"

#include "absl/strings/str_cat.h"
#include "hlo/text/value_printer.h"

namespace axle::hlo::text {
namespace {

void AppendAliases(const std::vector<InputOutputAlias>& aliases, std::string& out) {
  if (aliases.empty()) return;
  absl::StrAppend(&out, ", input_output_alias={ ");
  for (size_t i = 0; i < aliases.size(); ++i) {
    const InputOutputAlias& alias = aliases[i];
    if (i > 0) absl::StrAppend(&out, ", ");
    AppendInts(alias.output_index, '{', '}', out);
    absl::StrAppend(&out, ": (", alias.parameter, ", ");
    AppendInts(alias.parameter_index, '{', '}', out);
    absl::StrAppend(&out, alias.kind == AliasKind::kMust ? ", must-alias)" : ", may-alias)");
  }
  absl::StrAppend(&out, " }");
}

void AppendDonors(const std::vector<BufferDonor>& donors, std::string& out) {
  if (donors.empty()) return;
  absl::StrAppend(&out, ", buffer_donor={ ");
  for (size_t i = 0; i < donors.size(); ++i) {
    absl::StrAppend(&out, i > 0 ? ", " : "", "(", donors[i].parameter, ", ");
    AppendInts(donors[i].parameter_index, '{', '}', out);
    out.push_back(')');
  }
  absl::StrAppend(&out, " }");
}

void AppendEntryLayout(const ProgramShape& layout, std::string& out) {
  absl::StrAppend(&out, ", entry_computation_layout={(");
  for (size_t i = 0; i < layout.parameters.size(); ++i) {
    if (i > 0) absl::StrAppend(&out, ", ");
    if (i > 0 && i % 5 == 0) absl::StrAppend(&out, "/*index=", i, "*/");
    absl::StrAppend(&out, layout.parameters[i].ToString());
  }
  absl::StrAppend(&out, ")->", layout.result.ToString(), "}");
}

void AppendBools(absl::string_view key, const std::vector<bool>& flags, std::string& out) {
  if (flags.empty()) return;
  absl::StrAppend(&out, ", ", key, "=");
  AppendValue(key, flags, out);
}

void AppendAttributes(const ModuleConfig& config, std::string& out) {
  if (config.is_scheduled) absl::StrAppend(&out, ", is_scheduled=true");
  AppendAliases(config.aliases, out);
  AppendDonors(config.donors, out);
  if (config.entry_layout.has_value()) AppendEntryLayout(*config.entry_layout, out);
  AppendBools("allow_spmd_sharding_propagation_to_parameters",
              config.allow_spmd_sharding_propagation_to_parameters, out);
  AppendBools("allow_spmd_sharding_propagation_to_output",
              config.allow_spmd_sharding_propagation_to_output, out);
  if (config.replica_count != 1) absl::StrAppend(&out, ", replica_count=", config.replica_count);
  if (config.num_partitions != 1) {
    absl::StrAppend(&out, ", num_partitions=", config.num_partitions);
  }
  if (!config.frontend_attributes.empty()) {
    absl::StrAppend(&out, ", frontend_attributes=");
    AppendFrontendAttributes(config.frontend_attributes, out);
  }
  for (const auto& [key, value] : config.unknown_text) {
    absl::StrAppend(&out, ", ", key, "=", value);
  }
}

void AppendNames(absl::string_view title, const std::vector<std::string>& names, std::string& out) {
  absl::StrAppend(&out, "\n", title, "\n");
  for (size_t i = 0; i < names.size(); ++i) {
    absl::StrAppend(&out, i + 1, " ");
    AppendQuoted(names[i], out);
    out.push_back('\n');
  }
}

void AppendStackFrames(const StackFrames& frames, std::string& out) {
  if (frames.empty()) return;
  AppendNames("FileNames", frames.file_names, out);
  AppendNames("FunctionNames", frames.function_names, out);
  absl::StrAppend(&out, "\nFileLocations\n");
  for (size_t i = 0; i < frames.file_locations.size(); ++i) {
    const StackFrames::Location& row = frames.file_locations[i];
    absl::StrAppend(&out, i + 1, " {file_name_id=", row.file_name_id,
                    " function_name_id=", row.function_name_id, " line=", row.line,
                    " end_line=", row.end_line, " column=", row.column);
    absl::StrAppend(&out, " end_column=", row.end_column, "}\n");
  }
  absl::StrAppend(&out, "\nStackFrames\n");
  for (size_t i = 0; i < frames.stack_frames.size(); ++i) {
    const StackFrames::Frame& row = frames.stack_frames[i];
    // Parents count from one higher in text: 1 is none.
    absl::StrAppend(&out, i + 1, " {file_location_id=", row.file_location_id,
                    " parent_frame_id=", int64_t{row.parent_frame_id} + 1, "}\n");
  }
}

}  // namespace

void AppendHeader(const Module& module, const PrintOptions& options, std::string& out) {
  absl::StrAppend(&out, "HloModule ");
  if (IsBareName(module.name)) {
    absl::StrAppend(&out, module.name);
  } else {
    AppendQuoted(module.name, out);
  }
  AppendAttributes(module.config, out);
  out.push_back('\n');
  if (options.metadata) AppendStackFrames(module.config.stack_frames, out);
}

}  // namespace axle::hlo::text
