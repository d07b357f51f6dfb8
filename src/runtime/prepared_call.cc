// SPDX-License-Identifier: Apache-2.0
#include "runtime/prepared_call.h"

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "runtime/errors.h"

namespace axle::runtime {

PreparedCall::PreparedCall(std::shared_ptr<Session> session, OwnedProgram program)
    : session_(std::move(session)),
      program_(std::move(program)),
      values_(program_.cached->program().signature().parameters.size()),
      give_(values_.size(), false),
      empty_(values_.size()) {
  for (const Allocation& value : values_) arguments_.push_back(&value);
}

absl::Status PreparedCall::Check(size_t parameter, const Allocation& value) const {
  const Program& program = program_.cached->program();
  const auto& parameters = program.signature().parameters;
  if (parameter >= parameters.size()) {
    return MakeError(errors::kArgumentCount,
                     absl::StrCat("input ", parameter, " of program ", program.name(),
                                  ", which takes ", parameters.size()));
  }
  return program.CheckParameter(parameter, value.shape(), value.device());
}

void PreparedCall::Set(size_t parameter, Allocation value, bool give) {
  if (!values_[parameter].valid()) --empty_;
  values_[parameter] = std::move(value);
  give_[parameter] = give;
  gives_ |= give;
}

absl::Status PreparedCall::Bind(size_t parameter, const Allocation& value) {
  AXLE_RETURN_IF_ERROR(Check(parameter, value));
  Set(parameter, value, false);
  return absl::OkStatus();
}

absl::Status PreparedCall::Bind(size_t parameter, Allocation&& value) {
  AXLE_RETURN_IF_ERROR(Check(parameter, value));
  Set(parameter, std::move(value), true);
  return absl::OkStatus();
}

absl::StatusOr<Allocation> PreparedCall::Run(uint64_t rng_seed) {
  if (empty_ > 0) {
    return MakeError(errors::kNotBound, absl::StrCat("program ", program_.cached->program().name(),
                                                     " has ", empty_, " inputs without a value"));
  }
  LaunchOptions options{.rng_seed = rng_seed};
  if (gives_) options.give = give_;
  absl::StatusOr<Allocation> result =
      session_->Run(program_, arguments_, options, ArgumentChecks::kFit);
  for (size_t i = 0; gives_ && i < values_.size(); ++i) {
    if (!give_[i] || values_[i].present()) continue;
    values_[i] = Allocation();
    ++empty_;
  }
  return result;
}

}  // namespace axle::runtime
