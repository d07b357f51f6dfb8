// SPDX-License-Identifier: Apache-2.0
// What each operation does. op_table.cc has the rows that name them, with signatures.
#ifndef AXLE_XRT_OPS_H_
#define AXLE_XRT_OPS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xrt/op_set.h"

namespace axle::xrt {

#define AXLE_XRT_OP(name)                                                           \
  absl::StatusOr<std::vector<Value>> name(OpSet& ops, const Attributes& attributes, \
                                          absl::Span<const Value> inputs)

// compile_ops.cc
AXLE_XRT_OP(Compile);
AXLE_XRT_OP(ReleaseCompilationHandle);

// execute_ops.cc
AXLE_XRT_OP(Execute);
AXLE_XRT_OP(ExecuteChained);

// allocation_ops.cc
AXLE_XRT_OP(Allocate);
AXLE_XRT_OP(AllocateUninitialized);
AXLE_XRT_OP(AllocateFromTensor);
AXLE_XRT_OP(WriteLiteral);
AXLE_XRT_OP(ReleaseAllocationHandle);
AXLE_XRT_OP(ReleaseAllAllocations);
AXLE_XRT_OP(CompactAllocations);

// tuple_ops.cc
AXLE_XRT_OP(SubTuple);
AXLE_XRT_OP(SubTupleAndRelease);
AXLE_XRT_OP(MakeTuple);

// read_ops.cc
AXLE_XRT_OP(ReadLiteral);
AXLE_XRT_OP(ReadLiteralAndRelease);
AXLE_XRT_OP(ReadToTensor);

// transfer_ops.cc
AXLE_XRT_OP(BeginRead);
AXLE_XRT_OP(ReadChunk);
AXLE_XRT_OP(BeginWrite);
AXLE_XRT_OP(WriteChunk);
AXLE_XRT_OP(FinishWrite);
AXLE_XRT_OP(EndTransfer);

// metrics_ops.cc
AXLE_XRT_OP(CollectMetrics);
AXLE_XRT_OP(ReportMemory);

#undef AXLE_XRT_OP

}  // namespace axle::xrt

#endif  // AXLE_XRT_OPS_H_
