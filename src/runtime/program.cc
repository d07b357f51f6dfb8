// SPDX-License-Identifier: Apache-2.0
#include "runtime/program.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/leaves.h"
#include "hlo/verify/verify.h"
#include "passes/flatten_entry.h"
#include "runtime/errors.h"

namespace axle::runtime {
namespace {

// Refuses values no device could hold before a backend tries to allocate or fold them.
absl::Status CheckSizes(const hlo::Module& module, int64_t limit) {
  for (const hlo::Computation& computation : module.computations) {
    for (const hlo::Instruction& instruction : computation.instructions) {
      AXLE_ASSIGN_OR_RETURN(const int64_t bytes, instruction.shape.ByteSize());
      if (bytes > limit) {
        return MakeError(errors::kTooLarge,
                         absl::StrCat(computation.name, "/", instruction.name, " of shape ",
                                      instruction.shape.ToString(false), " takes ", bytes,
                                      " bytes; the limit is ", limit));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckUnderstood(const hlo::Module& module) {
  for (const hlo::Computation& computation : module.computations) {
    for (const hlo::Instruction& instruction : computation.instructions) {
      if (!instruction.extras || instruction.extras->unknown_text.empty()) continue;
      return MakeError(errors::kUnknownAttribute,
                       absl::StrCat(computation.name, "/", instruction.name, ": attribute ",
                                    instruction.extras->unknown_text.front().first));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<hlo::Shape> LeavesOf(const hlo::Shape& shape) {
  std::vector<hlo::Shape> leaves;
  hlo::AppendLeaves(shape.WithoutLayouts(), &leaves);
  return leaves;
}

absl::StatusOr<std::unique_ptr<Program>> Program::Compile(std::shared_ptr<Backend> backend,
                                                          std::shared_ptr<const hlo::Module> module,
                                                          const ProgramOptions& options) {
  const int device = options.compile.device;
  const auto devices = backend->devices();
  if (device < 0 || device >= static_cast<int>(devices.size())) {
    return MakeError(errors::kNoSuchDevice,
                     absl::StrCat("device ", device, " of backend ", backend->name(),
                                  ", which has ", devices.size()));
  }
  AXLE_RETURN_IF_ERROR(hlo::VerifyModule(*module));
  AXLE_RETURN_IF_ERROR(CheckUnderstood(*module));
  if (module->config.replica_count != 1 || module->config.num_partitions != 1) {
    return MakeError(errors::kManyDevices,
                     absl::StrCat("module ", module->name, " has ", module->config.replica_count,
                                  " replicas and ", module->config.num_partitions, " partitions"));
  }
  AXLE_RETURN_IF_ERROR(CheckSizes(*module, options.max_value_bytes));

  std::unique_ptr<Program> program(new Program());
  program->name_ = module->name;
  program->signature_ = hlo::ProgramShapeOf(module->entry_computation());
  AXLE_ASSIGN_OR_RETURN(std::shared_ptr<const hlo::Module> flat, passes::FlattenEntry(module));
  const hlo::ProgramShape flat_shape = hlo::ProgramShapeOf(flat->entry_computation());
  for (const hlo::Shape& parameter : flat_shape.parameters) {
    program->parameter_leaves_.push_back(parameter.WithoutLayouts());
  }
  program->result_leaves_ = LeavesOf(flat_shape.result);
  program->device_ = devices[device].get();
  AXLE_ASSIGN_OR_RETURN(program->loaded_, backend->Compile(std::move(flat), options.compile));
  program->backend_ = std::move(backend);
  return program;
}

absl::Status Program::CheckArguments(absl::Span<const std::shared_ptr<Buffer>> arguments) const {
  if (arguments.size() != parameter_leaves_.size()) {
    return MakeError(errors::kArgumentCount,
                     absl::StrCat("program ", name_, " takes ", parameter_leaves_.size(),
                                  " inputs, ", arguments.size(), " given"));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == nullptr) {
      return MakeError(errors::kArgumentShape,
                       absl::StrCat("input ", i, " of program ", name_, " is null"));
    }
    const Buffer& buffer = *arguments[i];
    if (!hlo::Compatible(buffer.shape(), parameter_leaves_[i])) {
      return MakeError(
          errors::kArgumentShape,
          absl::StrCat("input ", i, " of program ", name_, " is ", buffer.shape().ToString(false),
                       ", expected ", parameter_leaves_[i].ToString(false)));
    }
    if (&buffer.device() != device_) {
      return MakeError(
          errors::kArgumentDevice,
          absl::StrCat("input ", i, " of program ", name_, " is on device ", buffer.device().id(),
                       " of ", buffer.device().backend().name(), ", expected device ",
                       device_->id(), " of ", device_->backend().name()));
    }
    if (buffer.IsDeleted()) {
      return MakeError(errors::kDeletedBuffer,
                       absl::StrCat("input ", i, " of program ", name_, " was deleted or donated"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::shared_ptr<Buffer>>> Program::Execute(
    absl::Span<const std::shared_ptr<Buffer>> arguments, const ExecuteOptions& options) {
  AXLE_RETURN_IF_ERROR(CheckArguments(arguments));
  return loaded_->Execute(arguments, options);
}

absl::StatusOr<std::shared_ptr<Buffer>> UploadLiteral(Device& device, const hlo::Literal& literal) {
  return device.Upload(literal.shape().WithoutLayouts().WithStaticDimensions(), literal.bytes(),
                       HostMemory::kCopyDuringCall, nullptr);
}

absl::StatusOr<hlo::Literal> DownloadLiteral(Buffer& buffer) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, hlo::Literal::Zeros(buffer.shape()));
  AXLE_RETURN_IF_ERROR(buffer.CopyToHost(literal.bytes()));
  AXLE_ASSIGN_OR_RETURN(std::vector<int32_t> sizes, buffer.DynamicSizes());
  literal.set_dynamic_sizes(std::move(sizes));
  return literal;
}

}  // namespace axle::runtime
