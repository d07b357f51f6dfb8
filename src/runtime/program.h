// SPDX-License-Identifier: Apache-2.0
// Program: a module compiled for one device of a backend. The only way from a module to a backend:
// it verifies, refuses what is too large, flattens the entry, compiles, and checks every argument
// of every run, because backends trust what reaches them.
#ifndef AXLE_RUNTIME_PROGRAM_H_
#define AXLE_RUNTIME_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hlo/literal.h"
#include "hlo/module.h"
#include "runtime/backend.h"

namespace axle::runtime {

struct ProgramOptions {
  CompileOptions compile;
  // No single value of the program may take more bytes than this.
  int64_t max_value_bytes = int64_t{64} << 30;
};

// Thread-safe once made.
class Program {
 public:
  // Errors: the verifier's; AX0603, AX0605, AX0606; the backend's own.
  static absl::StatusOr<std::unique_ptr<Program>> Compile(std::shared_ptr<Backend> backend,
                                                          std::shared_ptr<const hlo::Module> module,
                                                          const ProgramOptions& options = {});

  // Parameters and result as the module declares them, tuples included.
  const hlo::ProgramShape& signature() const { return signature_; }
  // Leaves of parameters and result, depth first: what Execute takes and returns.
  absl::Span<const hlo::Shape> parameter_leaves() const { return parameter_leaves_; }
  absl::Span<const hlo::Shape> result_leaves() const { return result_leaves_; }

  Device& device() const { return *device_; }
  const std::string& name() const { return name_; }
  ProgramMemory memory() const { return loaded_->memory(); }

  // Launches on leaves. Errors before launch leave everything as it was: AX0600, AX0601, AX0602,
  // AX0604, and the backend's. See LoadedProgram::Execute.
  absl::StatusOr<std::vector<std::shared_ptr<Buffer>>> Execute(
      absl::Span<const std::shared_ptr<Buffer>> arguments, const ExecuteOptions& options = {});

 private:
  Program() = default;
  absl::Status CheckArguments(absl::Span<const std::shared_ptr<Buffer>> arguments) const;

  std::shared_ptr<Backend> backend_;
  std::string name_;
  hlo::ProgramShape signature_;
  std::vector<hlo::Shape> parameter_leaves_;
  std::vector<hlo::Shape> result_leaves_;
  Device* device_ = nullptr;
  std::unique_ptr<LoadedProgram> loaded_;
};

// Host arrays in and out of device memory.
absl::StatusOr<std::shared_ptr<Buffer>> UploadLiteral(Device& device, const hlo::Literal& literal);
absl::StatusOr<hlo::Literal> DownloadLiteral(Buffer& buffer);

// The array leaves of `shape`, depth first.
std::vector<hlo::Shape> LeavesOf(const hlo::Shape& shape);

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_PROGRAM_H_
