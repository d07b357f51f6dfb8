// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

using Index = std::vector<int64_t>;
using Leaves = absl::flat_hash_set<std::pair<int64_t, Index>>;  // of parameters

std::string Text(const Index& index) { return absl::StrCat("{", absl::StrJoin(index, ","), "}"); }

absl::StatusOr<const Shape*> FindArray(const Shape& shape, const Index& index,
                                       absl::string_view what) {
  const Shape* part = shape.SubShape(index);
  if (part == nullptr || !part->IsArray()) {
    return MakeError(verify_errors::kAliasIndex,
                     absl::StrCat(Text(index), " of ", what, ", ", shape.ToString(false),
                                  "; expected an array in it"));
  }
  return part;
}

absl::StatusOr<const Shape*> FindParameter(const ProgramShape& entry, int64_t parameter,
                                           const Index& index) {
  if (parameter < 0 || parameter >= static_cast<int64_t>(entry.parameters.size())) {
    return MakeError(verify_errors::kAliasIndex,
                     absl::StrCat("parameter ", parameter, " of ", entry.parameters.size()));
  }
  return FindArray(entry.parameters[parameter], index, absl::StrCat("parameter ", parameter));
}

// Which shapes may share memory is up to their sizes: a program may return its argument's memory
// under another shape.
absl::Status CheckAlias(const ProgramShape& entry, const InputOutputAlias& alias,
                        absl::flat_hash_set<Index>* outputs, Leaves* parameters) {
  AXLE_ASSIGN_OR_RETURN(const Shape* output,
                        FindArray(entry.result, alias.output_index, "the result"));
  AXLE_ASSIGN_OR_RETURN(const Shape* parameter,
                        FindParameter(entry, alias.parameter, alias.parameter_index));
  AXLE_ASSIGN_OR_RETURN(const int64_t output_bytes, output->ByteSize());
  AXLE_ASSIGN_OR_RETURN(const int64_t parameter_bytes, parameter->ByteSize());
  if (output_bytes != parameter_bytes) {
    return MakeError(
        verify_errors::kAliasSize,
        absl::StrCat(Text(alias.output_index), " of the result is ", output->ToString(false), ", ",
                     Text(alias.parameter_index), " of parameter ", alias.parameter, " ",
                     parameter->ToString(false), "; expected as many bytes"));
  }
  if (!outputs->insert(alias.output_index).second) {
    return MakeError(verify_errors::kAliasTwice,
                     absl::StrCat(Text(alias.output_index), " of the result is aliased twice"));
  }
  if (!parameters->insert({alias.parameter, alias.parameter_index}).second) {
    return MakeError(verify_errors::kAliasTwice,
                     absl::StrCat(Text(alias.parameter_index), " of parameter ", alias.parameter,
                                  " is aliased twice"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckAliases(const Module& module, const ProgramShape& entry) {
  absl::flat_hash_set<Index> outputs;
  Leaves parameters;
  for (const InputOutputAlias& alias : module.config.aliases) {
    AXLE_RETURN_IF_ERROR(
        AtPlace("input_output_alias", CheckAlias(entry, alias, &outputs, &parameters)));
  }
  for (const BufferDonor& donor : module.config.donors) {
    AXLE_RETURN_IF_ERROR(AtPlace(
        "buffer_donor", FindParameter(entry, donor.parameter, donor.parameter_index).status()));
    if (parameters.contains({donor.parameter, donor.parameter_index})) {
      return AtPlace("buffer_donor",
                     MakeError(verify_errors::kAliasTwice,
                               absl::StrCat(Text(donor.parameter_index), " of parameter ",
                                            donor.parameter, " is donated and aliased")));
    }
  }
  for (const CrossProgramPrefetch& prefetch : module.config.cross_program_prefetches) {
    AXLE_RETURN_IF_ERROR(
        AtPlace("cross_program_prefetches",
                FindParameter(entry, prefetch.parameter, prefetch.index).status()));
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::verify
