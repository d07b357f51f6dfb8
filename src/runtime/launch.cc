// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch.h"

#include <atomic>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
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
  };

  Claims() = default;
  Claims(const Claims&) = delete;
  ~Claims() {
    for (const Claim& claim : claims_) claim.leaf->Unclaim();
  }

  void Add(const Donation& donation, Leaf* leaf) { claims_.push_back({donation, leaf}); }
  absl::Span<const Claim> list() const { return claims_; }
  // After the launch: leaves whose buffers the backend took are empty from now on.
  void Commit(absl::Span<const std::shared_ptr<Buffer>> buffers) {
    for (const Claim& claim : claims_) {
      if (buffers[claim.donation.parameter]->IsDeleted()) {
        const Charge refunded = claim.leaf->Give();
      } else {
        claim.leaf->Unclaim();
      }
    }
    claims_.clear();
  }

 private:
  std::vector<Claim> claims_;
};

absl::Status CheckTree(const Program& program, size_t i, const Allocation& argument) {
  const hlo::Shape& parameter = program.signature().parameters[i];
  if (!parameter.IsTuple() && !argument.shape().IsTuple()) return absl::OkStatus();  // a leaf
  return program.CheckParameter(i, argument.shape(), nullptr);
}

absl::StatusOr<Leaves> LeavesOf(const Program& program,
                                absl::Span<const Allocation* const> arguments) {
  if (arguments.size() != program.signature().parameters.size()) {
    return MakeError(errors::kArgumentCount, absl::StrCat("program ", program.name(), " takes ",
                                                          program.signature().parameters.size(),
                                                          " inputs, ", arguments.size(), " given"));
  }
  Leaves leaves;
  for (size_t i = 0; i < arguments.size(); ++i) {
    AXLE_RETURN_IF_ERROR(CheckTree(program, i, *arguments[i]));
    for (const std::shared_ptr<Leaf>& leaf : arguments[i]->leaves()) leaves.push_back(&leaf);
  }
  return leaves;
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

// Claims what the launch may take; the parameters to leave go to `keep`, ascending.
absl::Status ClaimLeaves(const Program& program, absl::Span<const Allocation* const> arguments,
                         const LaunchOptions& options, const Leaves& leaves, Claims* claims,
                         std::vector<int>* keep) {
  const std::vector<bool> given = GivenLeaves(arguments, options.give);
  absl::flat_hash_map<const Leaf*, int> uses;
  if (!options.give.empty()) {
    for (const std::shared_ptr<Leaf>* leaf : leaves) ++uses[leaf->get()];
  }
  for (const Donation& donation : program.donations()) {
    Leaf* const leaf = leaves[donation.parameter]->get();
    if (given[donation.parameter] && uses[leaf] == 1 && leaf->TryClaim()) {
      claims->Add(donation, leaf);
    } else if (donation.must) {
      return MakeError(errors::kMustDonate, absl::StrCat("input leaf ", donation.parameter,
                                                         " of program ", program.name()));
    } else {
      keep->push_back(donation.parameter);
    }
  }
  return absl::OkStatus();
}

// What the results cost beside those that go into memory that is charged already.
absl::StatusOr<Charge> ChargeResults(const Program& program, const Claims& claims,
                                     const std::shared_ptr<const Payers>& payers) {
  int64_t bytes = program.result_bytes();
  for (const Claims::Claim& claim : claims.list()) {
    if (claim.donation.result >= 0) bytes -= program.result_leaf_bytes()[claim.donation.result];
  }
  return Charge::Make(payers, bytes, program.name());
}

// Holds a run's leaves until all its results are there.
class Pins {
 public:
  static void Hold(const Leaves& leaves, absl::Span<const std::shared_ptr<Buffer>> results) {
    auto pins = std::make_shared<Pins>();
    for (const std::shared_ptr<Leaf>* leaf : leaves) pins->leaves_.push_back(*leaf);
    for (const std::shared_ptr<Buffer>& result : results) {
      const Event ready = result->ready();
      if (!ready.IsReady()) ready.OnReady([pins](const absl::Status&) {});
    }
  }

 private:
  std::vector<std::shared_ptr<Leaf>> leaves_;
};

bool AllReady(absl::Span<const std::shared_ptr<Buffer>> buffers) {
  for (const std::shared_ptr<Buffer>& buffer : buffers) {
    if (!buffer->ready().IsReady()) return false;
  }
  return true;
}

Allocation MakeResult(const Program& program, absl::Span<std::shared_ptr<Buffer>> buffers,
                      Charge charge, const std::shared_ptr<const Payers>& payers) {
  const absl::Span<const int64_t> bytes = program.result_leaf_bytes();
  const auto leaf = [&](size_t i) {
    // Results in the memory of donated arguments come on top of what was charged before.
    Charge part =
        charge.bytes() >= bytes[i] ? charge.Split(bytes[i]) : Charge::Anyway(payers, bytes[i]);
    return std::make_shared<Leaf>(std::move(buffers[i]), std::move(part));
  };
  if (!program.signature().result.IsTuple()) return Allocation(leaf(0));
  std::vector<std::shared_ptr<Leaf>> leaves;
  leaves.reserve(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) leaves.push_back(leaf(i));
  return Allocation::Tree(program.result_tree(), std::move(leaves));
}

}  // namespace

absl::StatusOr<Allocation> Launch(Program& program, absl::Span<const Allocation* const> arguments,
                                  const std::shared_ptr<const Payers>& payers,
                                  const LaunchOptions& options) {
  AXLE_ASSIGN_OR_RETURN(const Leaves leaves, LeavesOf(program, arguments));
  Buffers buffers;
  buffers.reserve(leaves.size());
  for (const std::shared_ptr<Leaf>* leaf : leaves) {
    AXLE_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer, (*leaf)->buffer());
    buffers.push_back(std::move(buffer));
  }
  AXLE_RETURN_IF_ERROR(program.CheckArguments(buffers));
  Claims claims;
  std::vector<int> keep;
  if (!program.donations().empty()) {
    AXLE_RETURN_IF_ERROR(ClaimLeaves(program, arguments, options, leaves, &claims, &keep));
  }
  AXLE_ASSIGN_OR_RETURN(Charge charge, ChargeResults(program, claims, payers));
  Buffers results(program.result_leaves().size());
  AXLE_RETURN_IF_ERROR(program.ExecuteChecked(
      buffers, {.non_donatable = keep, .rng_seed = options.rng_seed}, absl::MakeSpan(results)));
  claims.Commit(buffers);
  if (!AllReady(results)) Pins::Hold(leaves, results);
  return MakeResult(program, absl::MakeSpan(results), std::move(charge), payers);
}

}  // namespace axle::runtime
