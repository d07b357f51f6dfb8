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
#include "runtime/donation.h"
#include "runtime/verified_module.h"

namespace axle::runtime {

struct ProgramOptions {
  CompileOptions compile;
  // No single value of the program may take more bytes than this.
  int64_t max_value_bytes = int64_t{64} << 30;
  bool operator==(const ProgramOptions&) const = default;
};

struct RunOptions {
  // Arguments that must stay usable although the program could take them over, ascending.
  absl::Span<const int> non_donatable;
  // Of the program's random numbers: the same seed, the same numbers. 0 takes one that no other run
  // of the process has.
  uint64_t rng_seed = 0;
  Event* end = nullptr;  // see ExecuteOptions
};

// Thread-safe once made.
class Program {
 public:
  // Errors: AX0603, AX0605, AX0606, AX0608; the backend's own. And from a module that is not
  // verified yet, the verifier's.
  static absl::StatusOr<std::unique_ptr<Program>> Compile(std::shared_ptr<Backend> backend,
                                                          const VerifiedModule& module,
                                                          const ProgramOptions& options = {});
  static absl::StatusOr<std::unique_ptr<Program>> Compile(std::shared_ptr<Backend> backend,
                                                          std::shared_ptr<const hlo::Module> module,
                                                          const ProgramOptions& options = {});

  // Parameters and result as the module declares them, tuples included.
  const hlo::ProgramShape& signature() const { return signature_; }
  // Leaves of parameters and result, depth first: what Execute takes and returns.
  absl::Span<const hlo::Shape> parameter_leaves() const { return parameter_leaves_; }
  const std::shared_ptr<const std::vector<hlo::Shape>>& result_leaves() const {
    return result_leaves_;
  }

  Device& device() const { return *device_; }
  const std::string& name() const { return name_; }
  ProgramMemory memory() const { return loaded_->memory(); }

  // What the program may take over, by parameter leaf; ascending.
  absl::Span<const Donation> donations() const { return donations_; }

  // Shape of the result without layouts, and what its leaves take on the host, in bytes.
  const hlo::Shape& result_tree() const { return result_tree_; }
  absl::Span<const int64_t> result_leaf_bytes() const { return result_leaf_bytes_; }
  int64_t result_bytes() const { return result_bytes_; }

  // Whether parameter `i`, a tuple perhaps, takes a value of the shape on the device (null: on
  // none, or not to be checked). Errors: AX0601, AX0602.
  absl::Status CheckParameter(size_t i, const hlo::Shape& shape, const Device* device) const;
  // Whether Execute would take the arguments.
  absl::Status CheckArguments(absl::Span<const std::shared_ptr<Buffer>> arguments) const;
  // The same for arguments that fit the parameters. Error AX0604.
  absl::Status CheckNotDeleted(absl::Span<const std::shared_ptr<Buffer>> arguments) const;
  // Execute without that check, for arguments that have passed it.
  absl::Status ExecuteChecked(absl::Span<const std::shared_ptr<Buffer>> arguments,
                              const RunOptions& options,
                              absl::Span<std::shared_ptr<Buffer>> results);

  // Launches on leaves; `results` has a place for each of result_leaves(). Errors before launch
  // leave everything as it was: AX0600, AX0601, AX0602, AX0604, and the backend's. See
  // LoadedProgram::Execute.
  absl::Status Execute(absl::Span<const std::shared_ptr<Buffer>> arguments,
                       const RunOptions& options, absl::Span<std::shared_ptr<Buffer>> results);
  absl::StatusOr<std::vector<std::shared_ptr<Buffer>>> Execute(
      absl::Span<const std::shared_ptr<Buffer>> arguments, const RunOptions& options = {});

 private:
  Program() = default;

  absl::Status CheckFits(size_t i, const hlo::Shape& shape, const hlo::Shape& parameter,
                         const Device* device) const;

  std::shared_ptr<Backend> backend_;
  std::string name_;
  hlo::ProgramShape signature_;
  std::vector<hlo::Shape> parameter_leaves_;
  std::shared_ptr<const std::vector<hlo::Shape>> result_leaves_;
  std::vector<Donation> donations_;
  hlo::Shape result_tree_;
  std::vector<int64_t> result_leaf_bytes_;
  int64_t result_bytes_ = 0;
  bool takes_rng_state_ = false;  // passes/explicit_rng_state
  Device* device_ = nullptr;
  std::unique_ptr<LoadedProgram> loaded_;
};

// Host arrays in and out of device memory. Error AX0629 for an upload of less than the bounds.
absl::StatusOr<std::shared_ptr<Buffer>> UploadLiteral(Device& device, const hlo::Literal& literal);
absl::StatusOr<hlo::Literal> DownloadLiteral(Buffer& buffer);

// The array leaves of `shape`, depth first.
std::vector<hlo::Shape> LeavesOf(const hlo::Shape& shape);

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_PROGRAM_H_
