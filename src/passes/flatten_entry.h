// SPDX-License-Identifier: Apache-2.0
// flatten_entry: entry parameters and results become arrays.
//
//   before  ENTRY (p: (f32[2], (s32[], f32[3]))) -> ((f32[2]), s32[])
//   after   ENTRY (p.0: f32[2], p.1: s32[], p.2: f32[3]) -> (f32[2], s32[])
//
// Leaves go depth first; an empty tuple has none; an array result stays an array, any tuple result
// becomes one flat tuple. The tables that name parameters or results follow: aliases, donors,
// prefetches, entry layout, shardings, parameter replication, propagation flags; frontend
// attributes of a tuple parameter go to each of its leaves. The schedule is dropped.
// Needs a verified module. Ensures a module that verifies and computes the same.
#ifndef AXLE_PASSES_FLATTEN_ENTRY_H_
#define AXLE_PASSES_FLATTEN_ENTRY_H_

#include <memory>

#include "absl/status/statusor.h"
#include "hlo/module.h"

namespace axle::passes {

// The same pointer when the entry is flat already. Error AX0500: a token, opaque or buffer among
// the entry's parameters or results.
absl::StatusOr<std::shared_ptr<const hlo::Module>> FlattenEntry(
    std::shared_ptr<const hlo::Module> module);

}  // namespace axle::passes

#endif  // AXLE_PASSES_FLATTEN_ENTRY_H_
