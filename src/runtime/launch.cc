// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch.h"

#include <atomic>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "runtime/errors.h"

namespace axle::runtime {
namespace {

// Arguments and results of a launch without a heap allocation.
constexpr size_t kInlineLeaves = 8;

using Buffers = absl::InlinedVector<std::shared_ptr<Buffer>, kInlineLeaves>;
// Into the arguments: copies are only made of what must outlive them.
using Leaves = absl::InlinedVector<const std::shared_ptr<Leaf>*, kInlineLeaves>;

// Leaves that a launch has claimed; gives back on destruction those it did not take.
class Claims {
 public:
  struct Claim {
    Donation donation;
    Leaf* leaf;
    bool pays;  // the result is charged what the leaf was
  };

  Claims() = default;
  Claims(const Claims&) = delete;
  ~Claims() {
    for (const Claim& claim : claims_) claim.leaf->Unclaim();
  }

  void Add(const Claim& claim) { claims_.push_back(claim); }
  absl::Span<const Claim> list() const { return claims_; }
  void Clear() { claims_.clear(); }

 private:
  std::vector<Claim> claims_;
};

absl::Status CollectLeaves(const Program& program, absl::Span<const Allocation* const> arguments,
                           ArgumentChecks checks, Leaves* leaves) {
  if (arguments.size() != program.signature().parameters.size()) {
    return MakeError(errors::kArgumentCount, absl::StrCat("program ", program.name(), " takes ",
                                                          program.signature().parameters.size(),
                                                          " inputs, ", arguments.size(), " given"));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (checks == ArgumentChecks::kAll) {
      AXLE_RETURN_IF_ERROR(
          program.CheckParameter(i, arguments[i]->shape(), arguments[i]->device()));
    }
    for (const std::shared_ptr<Leaf>& leaf : arguments[i]->leaves()) leaves->push_back(&leaf);
  }
  return absl::OkStatus();
}

// Which leaves belong to arguments that the caller gives.
std::vector<bool> GivenLeaves(absl::Span<const Allocation* const> arguments,
                              absl::Span<const bool> give) {
  std::vector<bool> given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    given.insert(given.end(), arguments[i]->leaves().size(), i < give.size() && give[i]);
  }
  return given;
}

// Claims what the launch may take, whose buffers go to `buffers`; the parameters to leave go to
// `keep`, ascending.
absl::Status ClaimLeaves(const Program& program, absl::Span<const Allocation* const> arguments,
                         const Origin& origin, const LaunchOptions& options, const Leaves& leaves,
                         Claims* claims, Buffers* buffers, std::vector<int>* keep) {
  const std::vector<bool> given = GivenLeaves(arguments, options.give);
  absl::flat_hash_map<const Leaf*, int> uses;
  if (!options.give.empty()) {
    for (const std::shared_ptr<Leaf>* leaf : leaves) ++uses[leaf->get()];
  }
  for (const Donation& donation : program.donations()) {
    Leaf* const leaf = leaves[donation.parameter]->get();
    std::shared_ptr<Buffer>& buffer = (*buffers)[donation.parameter];
    if (given[donation.parameter] && uses[leaf] == 1) buffer = leaf->TryClaim();
    if (buffer != nullptr) {
      const bool pays =
          donation.result >= 0 &&
          leaf->charge().FitsLimitsOf(origin, program.result_leaf_bytes()[donation.result]);
      claims->Add({donation, leaf, pays});
    } else if (donation.must) {
      if (leaf->TryBuffer() == nullptr) return leaf->Gone();
      return MakeError(errors::kMustDonate, absl::StrCat("input leaf ", donation.parameter,
                                                         " of program ", program.name()));
    } else {
      keep->push_back(donation.parameter);
    }
  }
  return absl::OkStatus();
}

// What the results cost beside those that claimed leaves pay for.
int64_t NewBytes(const Program& program, const Claims& claims) {
  int64_t bytes = program.result_bytes();
  for (const Claims::Claim& claim : claims.list()) {
    if (claim.pays) bytes -= program.result_leaf_bytes()[claim.donation.result];
  }
  return bytes;
}

// Leaves and charges that last until a run has ended, whoever lets go of them.
struct Pins {
  std::vector<std::shared_ptr<Leaf>> leaves;
  std::vector<Charge> charges;  // of memory that the run took over
};

// After the launch: leaves whose buffers the backend took are empty from now on. Charges of results
// go to `paid`, a place each, and those of memory that became none to `spent`.
void CommitClaims(const Program& program, absl::Span<const std::shared_ptr<Buffer>> buffers,
                  const std::shared_ptr<const Origin>& origin, Claims* claims,
                  std::vector<Charge>* paid, std::vector<Charge>* spent) {
  paid->resize(program.result_leaf_bytes().size());
  for (const auto& [donation, leaf, pays] : claims->list()) {
    if (!buffers[donation.parameter]->IsDeleted()) {
      leaf->Unclaim();
      // The backend has used new memory after all.
      if (pays) {
        (*paid)[donation.result] =
            Charge::Anyway(origin, program.result_leaf_bytes()[donation.result]);
      }
      continue;
    }
    Charge given = leaf->Give();
    if (pays) {
      given.MoveTo(origin);
      (*paid)[donation.result] = std::move(given);
    } else if (donation.result < 0) {
      spent->push_back(std::move(given));
    }
  }
  claims->Clear();
}

bool AllReady(absl::Span<const std::shared_ptr<Buffer>> buffers) {
  for (const std::shared_ptr<Buffer>& buffer : buffers) {
    if (!buffer->IsReady()) return false;
  }
  return true;
}

// `charge` holds what the results without a charge in `paid` cost.
absl::StatusOr<Allocation> MakeResult(const Program& program, const Origin& origin,
                                      absl::Span<std::shared_ptr<Buffer>> buffers, Charge& charge,
                                      std::vector<Charge>& paid) {
  const auto leaf = [&](size_t i) {
    const int64_t bytes = program.result_leaf_bytes()[i];
    const bool is_paid = !paid.empty() && paid[i].bytes() > 0;
    Charge part = is_paid                   ? std::move(paid[i])
                  : i + 1 == buffers.size() ? std::move(charge)
                                            : charge.Take(bytes);
    AXLE_ASSERT(part.bytes() == bytes);
    return std::make_shared<Leaf>(std::move(buffers[i]), std::move(part),
                                  (*origin.result_leaves)[i]);
  };
  if (!program.signature().result.IsTuple()) {
    return absl::StatusOr<Allocation>(absl::in_place, leaf(0));
  }
  std::vector<std::shared_ptr<Leaf>> leaves;
  leaves.reserve(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) leaves.push_back(leaf(i));
  return Allocation::Tree(program.result_tree(), std::move(leaves));
}

void HoldUntilReady(Pins pins, absl::Span<const std::shared_ptr<Leaf>> results) {
  pins.leaves.insert(pins.leaves.end(), results.begin(), results.end());
  const auto held = std::make_shared<const Pins>(std::move(pins));
  for (const std::shared_ptr<Leaf>& result : results) {
    const std::shared_ptr<Buffer> buffer = result->TryBuffer();
    if (!buffer->IsReady()) buffer->ready().OnReady([held](const absl::Status&) {});
  }
}

}  // namespace

absl::StatusOr<Allocation> Launch(Program& program, absl::Span<const Allocation* const> arguments,
                                  const std::shared_ptr<const Origin>& origin,
                                  const LaunchOptions& options, ArgumentChecks checks) {
  Leaves leaves;
  AXLE_RETURN_IF_ERROR(CollectLeaves(program, arguments, checks, &leaves));
  Buffers buffers(leaves.size());
  Claims claims;
  std::vector<int> keep;
  if (!program.donations().empty()) {
    AXLE_RETURN_IF_ERROR(
        ClaimLeaves(program, arguments, *origin, options, leaves, &claims, &buffers, &keep));
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (buffers[i] != nullptr) continue;  // claimed
    buffers[i] = (*leaves[i])->TryBuffer();
    if (buffers[i] == nullptr) return (*leaves[i])->Gone();
  }
  AXLE_RETURN_IF_ERROR(program.CheckNotDeleted(buffers));
  Charge charge(origin);
  AXLE_RETURN_IF_ERROR(charge.Add(NewBytes(program, claims), program.name()));

  Buffers results(program.result_leaves()->size());
  Event end;
  const RunOptions run_options{
      .non_donatable = keep, .rng_seed = options.rng_seed, .end = results.empty() ? &end : nullptr};
  if (absl::Status status = program.ExecuteChecked(buffers, run_options, absl::MakeSpan(results));
      !status.ok()) {
    // Another run may have taken an input over since it was looked up.
    AXLE_RETURN_IF_ERROR(program.CheckNotDeleted(buffers));
    return status;
  }
  std::vector<Charge> paid, spent;
  if (!claims.list().empty()) CommitClaims(program, buffers, origin, &claims, &paid, &spent);
  AXLE_RETURN_IF_ERROR(end.Await());  // nothing else could tell how the run ended
  const bool ready = AllReady(results);
  auto result = MakeResult(program, *origin, absl::MakeSpan(results), charge, paid);
  if (!ready) {
    Pins pins{.leaves = {}, .charges = std::move(spent)};
    for (const std::shared_ptr<Leaf>* leaf : leaves) pins.leaves.push_back(*leaf);
    HoldUntilReady(std::move(pins), result->leaves());
  }
  return result;
}

}  // namespace axle::runtime
