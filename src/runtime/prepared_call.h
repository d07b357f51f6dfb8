// SPDX-License-Identifier: Apache-2.0
// PreparedCall: one program with places for its arguments, to run again and again. A run allocates
// nothing but its results (for up to 8 leaves).
#ifndef AXLE_RUNTIME_PREPARED_CALL_H_
#define AXLE_RUNTIME_PREPARED_CALL_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "runtime/session.h"

namespace axle::runtime {

// For one thread at a time.
class PreparedCall {
 public:
  PreparedCall(std::shared_ptr<Session> session, OwnedProgram program);
  PreparedCall(const PreparedCall&) = delete;
  PreparedCall& operator=(const PreparedCall&) = delete;

  // Binds a copy of `value`, which its owner goes on sharing: it is never given to the program.
  // Errors: AX0600 for a parameter that is not there, AX0601, AX0602.
  absl::Status Bind(size_t parameter, const Allocation& value);
  // Binds `value` as a gift: a program that takes the parameter over may have it. Where it does,
  // the place is empty after the run. On an error `value` is unchanged.
  absl::Status Bind(size_t parameter, Allocation&& value);

  // Runs on what is bound, which stays bound. Errors: AX0619 for an empty place; those of
  // Session::Run.
  absl::StatusOr<Allocation> Run(uint64_t rng_seed = 0);

 private:
  absl::Status Check(size_t parameter, const Allocation& value) const;
  void Set(size_t parameter, Allocation value, bool give);

  const std::shared_ptr<Session> session_;
  const OwnedProgram program_;
  std::vector<Allocation> values_;
  std::vector<const Allocation*> arguments_;  // into values_
  absl::InlinedVector<bool, 8> give_;
  bool gives_ = false;
  size_t empty_;  // places without a value
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_PREPARED_CALL_H_
