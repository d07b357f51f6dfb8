// SPDX-License-Identifier: Apache-2.0
// A module that passed hlo/verify, with the digest of what it computes. Immutable; thread-safe.
#ifndef AXLE_RUNTIME_VERIFIED_MODULE_H_
#define AXLE_RUNTIME_VERIFIED_MODULE_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "hlo/module.h"

namespace axle::runtime {

class VerifiedModule {
 public:
  // Errors: the verifier's.
  static absl::StatusOr<std::shared_ptr<const VerifiedModule>> Create(
      std::shared_ptr<const hlo::Module> module);
  static absl::StatusOr<std::shared_ptr<const VerifiedModule>> Create(hlo::Module module) {
    return Create(std::make_shared<const hlo::Module>(std::move(module)));
  }

  const std::shared_ptr<const hlo::Module>& module() const { return module_; }
  // hlo::EquivalenceHash.
  uint64_t digest() const { return digest_; }
  // What the module takes in memory, roughly: its instructions and constants, in bytes.
  int64_t approximate_bytes() const { return approximate_bytes_; }

  // Whether one compiled program serves for both.
  bool Equals(const VerifiedModule& other) const;

  // This module with the layouts of `signature` as those of its entry. Error AX0613 when the
  // signature has other types or dimensions than the module.
  absl::StatusOr<std::shared_ptr<const VerifiedModule>> WithSignature(
      const hlo::ProgramShape& signature) const;

 private:
  explicit VerifiedModule(std::shared_ptr<const hlo::Module> module);

  std::shared_ptr<const hlo::Module> module_;
  uint64_t digest_;
  int64_t approximate_bytes_;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_VERIFIED_MODULE_H_
