// SPDX-License-Identifier: Apache-2.0
#include "runtime/program_cache.h"

#include <algorithm>
#include <condition_variable>
#include <optional>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "runtime/errors.h"

namespace axle::runtime {
namespace {

// Different texts and modules of one program that the cache remembers; further ones are compared.
constexpr size_t kMaxSources = 4;
constexpr size_t kMaxTwins = 4;

}  // namespace

struct CachedProgram::Source {
  uint64_t hash;
  std::string bytes;
  std::optional<hlo::ProgramShape> signature;
};

struct ProgramCache::BytesKey {
  BytesKey(absl::string_view b, const Request& r) : bytes(b), hash(absl::HashOf(b)), request(r) {}

  bool Matches(const Source& source, const CachedProgram& program) const {
    const bool same_signature = request.signature == nullptr
                                    ? !source.signature.has_value()
                                    : source.signature == *request.signature;
    return same_signature && program.options_ == request.options && source.bytes == bytes;
  }

  absl::string_view bytes;
  uint64_t hash;
  const Request& request;
};

struct ProgramCache::Flight {
  std::shared_ptr<const VerifiedModule> module;
  ProgramOptions options;
  // Set before it has landed.
  absl::StatusOr<std::shared_ptr<CachedProgram>> result = absl::InternalError("not compiled yet");
  bool has_landed = false;  // guarded by the cache's mutex
  std::condition_variable landed;
};

CachedProgram::~CachedProgram() {
  if (const std::shared_ptr<ProgramCache> cache = cache_.lock()) cache->Forget(this);
}

bool CachedProgram::KnowsTwin(const std::shared_ptr<const VerifiedModule>& module) const {
  return std::any_of(twins_.begin(), twins_.end(), [&](const auto& twin) {
    return !twin.owner_before(module) && !module.owner_before(twin);
  });
}

ProgramCache::ProgramCache(std::shared_ptr<Backend> backend, Options options)
    : backend_(std::move(backend)), options_(std::move(options)) {}

std::shared_ptr<ProgramCache> ProgramCache::Create(std::shared_ptr<Backend> backend,
                                                   Options options) {
  return std::shared_ptr<ProgramCache>(new ProgramCache(std::move(backend), std::move(options)));
}

absl::StatusOr<std::shared_ptr<CachedProgram>> ProgramCache::Get(absl::string_view bytes,
                                                                 const Request& request) {
  const BytesKey key(bytes, request);
  if (auto program = FindBytes(key)) return Touch(std::move(program), &stats_.byte_hits);
  if (!options_.loader) {
    return MakeError(errors::kNoLoader, "a program was given as bytes to a cache without a loader");
  }
  AXLE_ASSIGN_OR_RETURN(hlo::Module loaded, options_.loader(bytes));
  AXLE_ASSIGN_OR_RETURN(auto module, VerifiedModule::Create(std::move(loaded)));
  AXLE_ASSIGN_OR_RETURN(std::shared_ptr<CachedProgram> program, Get(std::move(module), request));
  AddSource(program, key);
  return program;
}

absl::StatusOr<std::shared_ptr<CachedProgram>> ProgramCache::Get(
    std::shared_ptr<const VerifiedModule> module, const Request& request) {
  if (request.signature != nullptr) {
    AXLE_ASSIGN_OR_RETURN(module, module->WithSignature(*request.signature));
  }
  // Candidates that turned out to be something else. Held so that their addresses stay theirs.
  Programs other_programs;
  std::vector<std::shared_ptr<Flight>> other_flights;
  const auto contains = [](const auto& list, const auto* item) {
    return std::any_of(list.begin(), list.end(), [&](auto& other) { return other.get() == item; });
  };
  while (true) {
    std::shared_ptr<CachedProgram> program;
    std::shared_ptr<Flight> flight;
    bool ours = false;
    bool twin = false;
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = by_digest_.find(module->digest()); known != by_digest_.end()) {
        for (const Known& candidate : known->second) {
          if (contains(other_programs, candidate.key)) continue;
          program = candidate.program.lock();
          if (program != nullptr) break;
        }
        if (program != nullptr) {
          twin = program->module_ == module || program->KnowsTwin(module);
        }
      }
      if (program == nullptr) {
        std::vector<std::shared_ptr<Flight>>& flights = flights_[module->digest()];
        for (const std::shared_ptr<Flight>& candidate : flights) {
          if (!contains(other_flights, candidate.get())) flight = candidate;
        }
        if (flight == nullptr) {
          flight = std::make_shared<Flight>();
          flight->module = module;
          flight->options = request.options;
          flights.push_back(flight);
          ours = true;
        }
      }
    }
    if (ours) return Fly(flight);
    if (program != nullptr) {
      if (program->options_ == request.options && (twin || program->module_->Equals(*module))) {
        return Touch(std::move(program), &stats_.module_hits, twin ? nullptr : module);
      }
      other_programs.push_back(std::move(program));
    } else if (!(flight->options == request.options) || !flight->module->Equals(*module)) {
      other_flights.push_back(std::move(flight));
    } else {
      std::unique_lock lock(mutex_);
      if (!flight->landed.wait_until(lock, absl::ToChronoTime(request.deadline),
                                     [&] { return flight->has_landed; })) {
        return MakeError(errors::kCompileWait,
                         absl::StrCat("program ", module->module()->name,
                                      " is still being compiled for another request"));
      }
      ++stats_.waits;
      return flight->result;
    }
  }
}

absl::StatusOr<std::shared_ptr<CachedProgram>> ProgramCache::Fly(
    const std::shared_ptr<Flight>& flight) {
  auto compiled = Program::Compile(backend_, *flight->module, flight->options);
  std::shared_ptr<CachedProgram> program;
  if (compiled.ok()) {
    program = std::make_shared<CachedProgram>();
    program->module_ = flight->module;
    program->options_ = flight->options;
    program->program_ = *std::move(compiled);
    program->account_ = std::make_unique<PooledAccount>(program->program_->name());
    program->cost_ = program->program_->memory().generated_code.value_or(0);
    if (program->cost_ <= 0) program->cost_ = flight->module->approximate_bytes();
    program->cache_ = weak_from_this();
    flight->result = program;
  } else {
    flight->result = std::move(compiled).status();
  }
  const uint64_t digest = flight->module->digest();
  Programs freed;
  {
    const std::lock_guard lock(mutex_);
    const auto flights = flights_.find(digest);
    flights->second.erase(std::find(flights->second.begin(), flights->second.end(), flight));
    if (flights->second.empty()) flights_.erase(flights);
    flight->has_landed = true;
    if (program != nullptr) {
      by_digest_[digest].push_back({program.get(), program});
      Keep(program, &freed);
      ++stats_.compiles;
    } else {
      ++stats_.failures;
    }
  }
  flight->landed.notify_all();
  return flight->result;
}

std::shared_ptr<CachedProgram> ProgramCache::Touch(std::shared_ptr<CachedProgram> program,
                                                   int64_t* counter,
                                                   std::shared_ptr<const VerifiedModule> twin) {
  Programs freed;
  const std::lock_guard lock(mutex_);
  ++*counter;
  if (twin != nullptr) {
    ++stats_.comparisons;
    auto& twins = program->twins_;
    std::erase_if(twins, [](const auto& other) { return other.expired(); });
    if (twins.size() < kMaxTwins) twins.push_back(std::move(twin));
  }
  Keep(program, &freed);
  return program;
}

std::shared_ptr<CachedProgram> ProgramCache::FindBytes(const BytesKey& key) {
  absl::InlinedVector<std::pair<std::shared_ptr<const Source>, std::shared_ptr<CachedProgram>>, 2>
      candidates;
  {
    const std::lock_guard lock(mutex_);
    const auto known = by_bytes_.find(key.hash);
    if (known == by_bytes_.end()) return nullptr;
    for (const KnownSource& candidate : known->second) {
      if (auto program = candidate.program.lock()) {
        candidates.emplace_back(candidate.source, std::move(program));
      }
    }
  }
  for (auto& [source, program] : candidates) {
    if (key.Matches(*source, *program)) return std::move(program);
  }
  return nullptr;
}

void ProgramCache::AddSource(const std::shared_ptr<CachedProgram>& program, const BytesKey& key) {
  if (FindBytes(key) != nullptr) return;
  auto source = std::make_shared<Source>();
  source->hash = key.hash;
  source->bytes = std::string(key.bytes);
  if (key.request.signature != nullptr) source->signature = *key.request.signature;
  Programs freed;
  const std::lock_guard lock(mutex_);
  if (program->sources_.size() >= kMaxSources) return;
  const int64_t bytes = static_cast<int64_t>(source->bytes.size());
  by_bytes_[key.hash].push_back({source, program});
  program->sources_.push_back(std::move(source));
  program->cost_ += bytes;
  if (program->kept_) kept_bytes_ += bytes;
  Keep(program, &freed);
}

void ProgramCache::Keep(const std::shared_ptr<CachedProgram>& program, Programs* freed) {
  if (program->kept_) {
    recent_.splice(recent_.begin(), recent_, program->place_);
  } else {
    recent_.push_front(program);
    program->place_ = recent_.begin();
    program->kept_ = true;
    kept_bytes_ += program->cost_;
  }
  if (kept_bytes_ > options_.max_bytes) Evict(freed);
}

void ProgramCache::Evict(Programs* freed) {
  for (const bool also_owned : {false, true}) {
    auto candidate = recent_.end();
    while (kept_bytes_ > options_.max_bytes && recent_.size() > 1 &&
           --candidate != recent_.begin()) {
      // Nobody can take a reference meanwhile: that needs the mutex, or another reference.
      if (!also_owned && candidate->use_count() > 1) continue;
      CachedProgram& leaving = **candidate;
      leaving.kept_ = false;
      kept_bytes_ -= leaving.cost_;
      ++stats_.evictions;
      freed->push_back(std::move(*candidate));
      candidate = recent_.erase(candidate);
    }
  }
}

void ProgramCache::Forget(CachedProgram* program) {
  const std::lock_guard lock(mutex_);
  const auto known = by_digest_.find(program->module_->digest());
  std::erase_if(known->second, [&](const Known& entry) { return entry.key == program; });
  if (known->second.empty()) by_digest_.erase(known);
  for (const std::shared_ptr<const Source>& source : program->sources_) {
    const auto sources = by_bytes_.find(source->hash);
    std::erase_if(sources->second,
                  [&](const KnownSource& entry) { return entry.source == source; });
    if (sources->second.empty()) by_bytes_.erase(sources);
  }
}

ProgramCache::Stats ProgramCache::stats() const {
  const std::lock_guard lock(mutex_);
  Stats stats = stats_;
  stats.kept = static_cast<int64_t>(recent_.size());
  stats.kept_bytes = kept_bytes_;
  for (const auto& [digest, programs] : by_digest_) {
    stats.known += static_cast<int64_t>(programs.size());
  }
  return stats;
}

std::vector<std::pair<std::string, int64_t>> ProgramCache::Holders() const {
  Programs programs;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [digest, known] : by_digest_) {
      for (const Known& entry : known) {
        if (auto program = entry.program.lock()) programs.push_back(std::move(program));
      }
    }
  }
  std::vector<std::pair<std::string, int64_t>> holders;
  for (const auto& program : programs) {
    if (const int64_t used = program->account().used(); used > 0) {
      holders.emplace_back(program->account().name(), used);
    }
  }
  std::sort(holders.begin(), holders.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  return holders;
}

}  // namespace axle::runtime
