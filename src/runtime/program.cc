// SPDX-License-Identifier: Apache-2.0
#include "runtime/program.h"

#include <atomic>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/leaves.h"
#include "passes/explicit_rng_state.h"
#include "passes/flatten_entry.h"
#include "runtime/errors.h"
#include "runtime/shape_text.h"

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

bool DrawsRandomNumbers(const hlo::Module& module) {
  for (const hlo::Computation& computation : module.computations) {
    for (const hlo::Instruction& instruction : computation.instructions) {
      if (instruction.opcode == hlo::Opcode::kRng ||
          instruction.opcode == hlo::Opcode::kRngGetAndUpdateState) {
        return true;
      }
    }
  }
  return false;
}

// A seed that no other run of this process gets. Odd, so never 0.
uint64_t NextSeed() {
  static std::atomic<uint64_t> next = uint64_t{std::random_device{}()} << 32 | 1;
  return next.fetch_add(2, std::memory_order_relaxed);
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
  AXLE_ASSIGN_OR_RETURN(const auto verified, VerifiedModule::Create(std::move(module)));
  return Compile(std::move(backend), *verified, options);
}

absl::StatusOr<std::unique_ptr<Program>> Program::Compile(std::shared_ptr<Backend> backend,
                                                          const VerifiedModule& verified,
                                                          const ProgramOptions& options) {
  const std::shared_ptr<const hlo::Module>& module = verified.module();
  const int device = options.compile.device;
  const auto devices = backend->devices();
  if (device < 0 || device >= static_cast<int>(devices.size())) {
    return MakeError(errors::kNoSuchDevice,
                     absl::StrCat("device ", device, " of backend ", backend->name(),
                                  ", which has ", devices.size()));
  }
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
  if (module->config.entry_layout.has_value()) {
    program->signature_.parameters = module->config.entry_layout->parameters;
    program->signature_.result = module->config.entry_layout->result;
  }
  AXLE_ASSIGN_OR_RETURN(std::shared_ptr<const hlo::Module> flat, passes::FlattenEntry(module));
  const hlo::ProgramShape flat_shape = hlo::ProgramShapeOf(flat->entry_computation());
  for (const hlo::Shape& parameter : flat_shape.parameters) {
    program->parameter_leaves_.push_back(parameter.WithoutLayouts());
  }
  program->result_leaves_ =
      std::make_shared<const std::vector<hlo::Shape>>(LeavesOf(flat_shape.result));
  program->result_tree_ = program->signature_.result.WithoutLayouts();
  for (const hlo::Shape& leaf : *program->result_leaves_) {
    AXLE_ASSIGN_OR_RETURN(const int64_t bytes, leaf.ByteSize());
    program->result_leaf_bytes_.push_back(bytes);
    program->result_bytes_ += bytes;
  }
  if (DrawsRandomNumbers(*flat)) {
    hlo::Module explicit_state = *flat;
    AXLE_ASSIGN_OR_RETURN(program->takes_rng_state_, passes::MakeRngStateExplicit(&explicit_state));
    flat = std::make_shared<const hlo::Module>(std::move(explicit_state));
  }
  program->donations_ = DonationsOf(*flat);
  program->device_ = devices[device].get();
  AXLE_ASSIGN_OR_RETURN(program->loaded_, backend->Compile(std::move(flat), options.compile));
  program->backend_ = std::move(backend);
  return program;
}

absl::Status Program::CheckParameter(size_t i, const hlo::Shape& shape,
                                     const Device* device) const {
  return CheckFits(i, shape, signature_.parameters[i], device);
}

absl::Status Program::CheckFits(size_t i, const hlo::Shape& shape, const hlo::Shape& parameter,
                                const Device* device) const {
  if (!hlo::Compatible(shape, parameter)) {
    return MakeError(errors::kArgumentShape,
                     absl::StrCat("input ", i, " of program ", name_, " is ", ShapeText(shape),
                                  ", expected ", ShapeText(parameter)));
  }
  if (device == nullptr || device == device_) return absl::OkStatus();
  return MakeError(errors::kArgumentDevice,
                   absl::StrCat("input ", i, " of program ", name_, " is on device ", device->id(),
                                " of ", device->backend().name(), ", expected device ",
                                device_->id(), " of ", device_->backend().name()));
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
    AXLE_RETURN_IF_ERROR(
        CheckFits(i, arguments[i]->shape(), parameter_leaves_[i], &arguments[i]->device()));
  }
  return CheckNotDeleted(arguments);
}

absl::Status Program::CheckNotDeleted(absl::Span<const std::shared_ptr<Buffer>> arguments) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i]->IsDeleted()) continue;
    return MakeError(errors::kDeletedBuffer,
                     absl::StrCat("input ", i, " of program ", name_, " was deleted or donated"));
  }
  return absl::OkStatus();
}

absl::Status Program::ExecuteChecked(absl::Span<const std::shared_ptr<Buffer>> arguments,
                                     const RunOptions& options,
                                     absl::Span<std::shared_ptr<Buffer>> results) {
  AXLE_ASSERT(results.size() == result_leaves_->size());
  const ExecuteOptions execute_options{.non_donatable = options.non_donatable, .end = options.end};
  if (!takes_rng_state_) return loaded_->Execute(arguments, execute_options, results);

  // The state is one more argument and one more result, which nobody sees.
  const auto state = passes::InitialRngState(options.rng_seed != 0 ? options.rng_seed : NextSeed());
  std::vector<std::shared_ptr<Buffer>> all_arguments(arguments.begin(), arguments.end());
  AXLE_ASSIGN_OR_RETURN(
      all_arguments.emplace_back(),
      UploadLiteral(*device_, hlo::Literal::Vector<uint64_t>(absl::MakeConstSpan(state))));
  std::vector<std::shared_ptr<Buffer>> all_results(results.size() + 1);
  AXLE_RETURN_IF_ERROR(
      loaded_->Execute(all_arguments, execute_options, absl::MakeSpan(all_results)));
  std::move(all_results.begin(), all_results.end() - 1, results.begin());
  return absl::OkStatus();
}

absl::Status Program::Execute(absl::Span<const std::shared_ptr<Buffer>> arguments,
                              const RunOptions& options,
                              absl::Span<std::shared_ptr<Buffer>> results) {
  AXLE_RETURN_IF_ERROR(CheckArguments(arguments));
  return ExecuteChecked(arguments, options, results);
}

absl::StatusOr<std::vector<std::shared_ptr<Buffer>>> Program::Execute(
    absl::Span<const std::shared_ptr<Buffer>> arguments, const RunOptions& options) {
  std::vector<std::shared_ptr<Buffer>> results(result_leaves_->size());
  AXLE_RETURN_IF_ERROR(Execute(arguments, options, absl::MakeSpan(results)));
  return results;
}

absl::StatusOr<std::shared_ptr<Buffer>> UploadLiteral(Device& device, const hlo::Literal& literal) {
  if (!literal.dynamic_sizes().empty()) {
    return MakeError(errors::kDynamicUpload,
                     absl::StrCat("a literal of shape ", literal.shape().ToString(false)));
  }
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
