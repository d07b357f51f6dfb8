// SPDX-License-Identifier: Apache-2.0
// Two relations between modules. Both take linear time and read modules only.
//
// Identical: everything that the IR holds is the same, names, metadata and order included. What a
// round trip must keep.
//
// Equivalent: the same program, so that a compiled one can stand for both. Ignores names, ids,
// source places, original values, statistics, declarations, the order of computations and
// computations that the entry does not reach. Layouts of the entry that are left out are its
// instructions', or row-major. The order of instructions counts, and so do layouts,
// shardings, front-end attributes, backend configurations and everything kept that Axle does not
// know.
#ifndef AXLE_HLO_COMPARE_H_
#define AXLE_HLO_COMPARE_H_

#include <cstdint>
#include <string>

#include "hlo/module.h"

namespace axle::hlo {

bool Identical(const Module& a, const Module& b);

// Where two modules stop being Identical, in words: "computation main, instruction add.1: shape:
// f32[2] and f32[3]". Empty if they are.
std::string FirstDifference(const Module& a, const Module& b);

bool Equivalent(const Module& a, const Module& b);

// Equal for Equivalent modules, in every process and on every machine.
uint64_t EquivalenceHash(const Module& module);

}  // namespace axle::hlo

#endif  // AXLE_HLO_COMPARE_H_
