// SPDX-License-Identifier: Apache-2.0
// Session: one client's values and programs, and the handles by which it knows them.
//
// Two ways to use it, which mix: objects (Allocation, OwnedProgram), which end with their last
// copy, and handles (int64), which the session keeps until they are released or it ends. Both are
// charged to the session's account.
//
// Ending a session, or letting go of it, takes all its handles at once. Runs in flight finish on
// the leaves they hold, which then are freed.
//
// Thread-safe. No lock is held while anything is compiled, moved or run.
#ifndef AXLE_RUNTIME_SESSION_H_
#define AXLE_RUNTIME_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/literal.h"
#include "runtime/account.h"
#include "runtime/allocation.h"
#include "runtime/handle_table.h"
#include "runtime/launch.h"
#include "runtime/program_cache.h"
#include "runtime/store.h"
#include "runtime/transfer.h"

namespace axle::runtime {

// Host memory that becomes a value without a copy where the backend can (64-byte aligned, one
// array).
struct HostImport {
  hlo::Shape shape;                  // a static array
  absl::Span<const std::byte> data;  // row-major, of the shape's host size
  // May a program that the value is given to write it? Otherwise it is never donated.
  bool writable = false;
  std::function<void()> released;  // called once, after the last use, also on an error; may be null
};

class Session {
 public:
  // For Store::OpenSession.
  Session(std::shared_ptr<Store> store, SessionOptions options);
  ~Session() { End(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Store& store() const { return *store_; }
  const Account& account() const { return *account_; }
  HandleTable& handles() { return handles_; }

  // Takes all handles, at once; what adds one later is refused with AX0623. Objects stay.
  void End() { handles_.Close(); }

  // ---- Values ----------------------------------------------------------------------------------

  // Copies a literal, tuples included, to a device. Errors: AX0603, AX0610, AX0611; the backend's,
  // AX0617 when it is out of memory.
  absl::StatusOr<Allocation> Upload(const hlo::Literal& literal, int device = 0);
  absl::StatusOr<Allocation> Import(HostImport import, int device = 0);
  // Room for a value, with unspecified elements.
  absl::StatusOr<Allocation> Reserve(const hlo::Shape& shape, int device = 0);

  // Puts the literal in place of what the leaves of `allocation` hold, for every allocation that
  // shares them. Errors: AX0625, AX0604; those of Upload. All leaves are written, or none.
  absl::Status Write(const Allocation& allocation, const hlo::Literal& literal);

  // Transfers in pieces (runtime/transfer.h). Their host memory is charged to the session's account
  // alone. Errors: AX0604, AX0603, AX0610, AX0618; for dynamic arrays to write, AX0618 too.
  absl::StatusOr<std::shared_ptr<Transfer>> BeginRead(const Allocation& allocation);
  absl::StatusOr<std::shared_ptr<Transfer>> BeginWrite(const hlo::Shape& array, int device = 0);
  // Copies what was written to the device and ends the transfer; on an error it can go on. Errors:
  // AX0627; those of Upload.
  absl::StatusOr<Allocation> FinishWrite(Transfer& transfer);

  // ---- Programs --------------------------------------------------------------------------------

  absl::StatusOr<OwnedProgram> Compile(absl::string_view bytes,
                                       const ProgramCache::Request& request = {});
  absl::StatusOr<OwnedProgram> Compile(std::shared_ptr<const VerifiedModule> module,
                                       const ProgramCache::Request& request = {});

  // See runtime/launch.h.
  absl::StatusOr<Allocation> Run(const OwnedProgram& program,
                                 absl::Span<const Allocation* const> arguments,
                                 const LaunchOptions& options = {},
                                 ArgumentChecks checks = ArgumentChecks::kAll);

  // ---- Handles ---------------------------------------------------------------------------------

  absl::StatusOr<int64_t> Keep(Allocation allocation);
  absl::StatusOr<int64_t> Keep(OwnedProgram program);
  absl::StatusOr<int64_t> Keep(std::shared_ptr<Transfer> transfer);
  absl::StatusOr<std::vector<int64_t>> KeepAll(std::vector<Allocation> allocations);  // or none

  struct ExecuteRequest {
    int64_t program = 0;
    absl::Span<const int64_t> inputs;
    bool release_inputs = false;   // once the run has ended well; nothing to do with donation
    bool release_program = false;  // likewise
    bool explode = false;          // a handle an element of the result tuple
    LaunchOptions launch;
  };
  // Runs by handles; one handle, or with `explode` one an element. With a release it waits for the
  // end of the run, and a run that fails has made and released nothing. Errors: those of Run and of
  // HandleTable.
  absl::StatusOr<std::vector<int64_t>> Execute(const ExecuteRequest& request);

 private:
  absl::Status CheckDevice(int device) const;
  ProgramCache::Request Limited(ProgramCache::Request request) const;  // by the store's options
  absl::StatusOr<OwnedProgram> Own(absl::StatusOr<std::shared_ptr<CachedProgram>> cached);

  const std::shared_ptr<Store> store_;
  const std::shared_ptr<Account> account_;
  std::vector<std::shared_ptr<const Origin>> upload_origins_;  // a device each
  const std::shared_ptr<const Origin> transfer_origin_;
  HandleTable handles_;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_SESSION_H_
