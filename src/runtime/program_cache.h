// SPDX-License-Identifier: Apache-2.0
// ProgramCache: compiled programs of one backend, each compiled once and shared.
//
//   bytes ─ level one: hash, then the bytes themselves ─────────────┐
//     │ miss: load, verify                                          ▼
//   module ─ level two: digest, then hlo::Equivalent ──────► CachedProgram
//     │ miss: one thread compiles, others that want the same wait
//     ▼
//   Program::Compile
//
// A digest only finds candidates: on every hit the content is compared in full. Options are part of
// the key; backend and device kind are, since a cache belongs to a backend and options name the
// device.
//
// When what the cache keeps is over its bound, programs that nobody owns go first, least recently
// used first, then the others; the newest stays whatever it takes. A program that leaves while
// somebody owns it lives on, and is found again, until its last owner lets go.
//
// Thread-safe. No lock is held while anything is loaded, verified, compared, compiled or freed.
#ifndef AXLE_RUNTIME_PROGRAM_CACHE_H_
#define AXLE_RUNTIME_PROGRAM_CACHE_H_

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "hlo/module.h"
#include "runtime/account.h"
#include "runtime/program.h"
#include "runtime/verified_module.h"

namespace axle::runtime {

class ProgramCache;

// A program, what it was compiled from and what its results cost. Owning it is holding a
// shared_ptr. Thread-safe.
class CachedProgram {
 public:
  ~CachedProgram();

  Program& program() const { return *program_; }
  const VerifiedModule& module() const { return *module_; }
  // Of live results, over all sessions.
  PooledAccount& account() const { return *account_; }

 private:
  friend class ProgramCache;
  struct Source;  // bytes that a program was made from, and what was asked with them

  bool KnowsTwin(const std::shared_ptr<const VerifiedModule>& module) const;

  std::shared_ptr<const VerifiedModule> module_;
  ProgramOptions options_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<PooledAccount> account_;
  std::weak_ptr<ProgramCache> cache_;
  // Guarded by the cache's mutex:
  int64_t cost_ = 0;                                           // what it counts in the cache
  std::list<std::shared_ptr<CachedProgram>>::iterator place_;  // in recent_, if kept_
  bool kept_ = false;
  std::vector<std::shared_ptr<const Source>> sources_;  // bytes it was made from
  // Modules that were compared with module_ and found equal: while somebody holds them, they need
  // not be compared again.
  std::vector<std::weak_ptr<const VerifiedModule>> twins_;
};

class ProgramCache : public std::enable_shared_from_this<ProgramCache> {
 public:
  // Reads a program of any form from bytes.
  using Loader = std::function<absl::StatusOr<hlo::Module>(absl::string_view bytes)>;

  struct Options {
    int64_t max_bytes = int64_t{1} << 30;  // of generated code where known, else of modules
    Loader loader;                         // may be null: then only modules are taken
  };

  struct Request {
    ProgramOptions options;
    // Where set, what the signature must be; its layouts become those of the entry.
    const hlo::ProgramShape* signature = nullptr;
    // When to stop waiting for a compile that another request has begun. The compile goes on.
    absl::Time deadline = absl::InfiniteFuture();
  };

  struct Stats {
    int64_t kept = 0;        // programs the cache keeps
    int64_t kept_bytes = 0;  // what they count
    int64_t known = 0;       // those, and programs that only owners keep
    int64_t byte_hits = 0, module_hits = 0, waits = 0, compiles = 0, failures = 0, evictions = 0;
    int64_t comparisons = 0;  // module hits that took a comparison of the content
  };

  static std::shared_ptr<ProgramCache> Create(std::shared_ptr<Backend> backend, Options options);

  // A compiled program for the bytes or the module. Errors: the loader's and the verifier's; those
  // of Program::Compile, also to requests that waited for it; AX0613 for the signature; AX0614 when
  // the deadline passes. A failure leaves nothing behind: the next request tries again.
  absl::StatusOr<std::shared_ptr<CachedProgram>> Get(absl::string_view bytes,
                                                     const Request& request);
  absl::StatusOr<std::shared_ptr<CachedProgram>> Get(std::shared_ptr<const VerifiedModule> module,
                                                     const Request& request);

  const std::shared_ptr<Backend>& backend() const { return backend_; }
  Stats stats() const;
  // Live results by program: (name, bytes), most first.
  std::vector<std::pair<std::string, int64_t>> Holders() const;

 private:
  friend class CachedProgram;
  struct Flight;    // a compile that goes on
  struct BytesKey;  // a request by bytes
  using Source = CachedProgram::Source;
  using Programs = std::vector<std::shared_ptr<CachedProgram>>;

  ProgramCache(std::shared_ptr<Backend> backend, Options options);

  std::shared_ptr<CachedProgram> FindBytes(const BytesKey& key);
  void AddSource(const std::shared_ptr<CachedProgram>& program, const BytesKey& key);
  absl::StatusOr<std::shared_ptr<CachedProgram>> Fly(const std::shared_ptr<Flight>& flight);
  // Counts a hit and makes the program the most recent one. `twin`: a module equal to its own.
  std::shared_ptr<CachedProgram> Touch(std::shared_ptr<CachedProgram> program, int64_t* counter,
                                       std::shared_ptr<const VerifiedModule> twin = nullptr);
  // Make `program` the most recent one, and what has to go; that leaves through `freed`.
  void Keep(const std::shared_ptr<CachedProgram>& program, Programs* freed);
  void Evict(Programs* freed);
  void Forget(CachedProgram* program);

  const std::shared_ptr<Backend> backend_;
  const Options options_;

  mutable std::mutex mutex_;
  // Guarded by mutex_. The maps know programs by weak pointers: only recent_ keeps them.
  std::list<std::shared_ptr<CachedProgram>> recent_;  // most recently used first
  int64_t kept_bytes_ = 0;
  struct Known {
    CachedProgram* key;
    std::weak_ptr<CachedProgram> program;
  };
  absl::flat_hash_map<uint64_t, std::vector<Known>> by_digest_;
  struct KnownSource {
    std::shared_ptr<const Source> source;
    std::weak_ptr<CachedProgram> program;
  };
  absl::flat_hash_map<uint64_t, std::vector<KnownSource>> by_bytes_;
  absl::flat_hash_map<uint64_t, std::vector<std::shared_ptr<Flight>>> flights_;  // by digest
  Stats stats_;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_PROGRAM_CACHE_H_
