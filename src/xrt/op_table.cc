// SPDX-License-Identifier: Apache-2.0
// Every operation with its signature: docs/xrt-ops.md is made from this table.
#include "xrt/op_set.h"
#include "xrt/ops.h"

namespace axle::xrt {
namespace {

using Rank = ArgumentRank;
using Type = ArgumentType;

// ---- Inputs and outputs -------------------------------------------------------------------------

constexpr ArgumentDef kNewValue = {"handle", Type::kHandle, Rank::kScalar, "",
                                   "Of the new value, on the device of the operation."};
constexpr ArgumentDef kOneNewValue[] = {kNewValue};
constexpr ArgumentDef kOutputValue[] = {
    {"output_handle", Type::kHandle, Rank::kScalar, "", "Of the new value."}};
constexpr ArgumentDef kAnyHandles[] = {
    {"handle", Type::kHandle, Rank::kAny, "", "Any number of them. One twice counts once."}};
constexpr ArgumentDef kOneHandle[] = {
    {"handle", Type::kHandle, Rank::kScalar, "", "Of the value."}};
constexpr ArgumentDef kLiteral[] = {{"literal", Type::kString, Rank::kScalar, "", "LiteralProto."}};

constexpr ArgumentDef kCompileInputs[] = {
    {"computation", Type::kString, Rank::kScalar, "",
     "XLAComputation: the program in `hlo_snapshot`, and how to compile it in `config`."}};
constexpr ArgumentDef kCompileOutputs[] = {
    {"handle", Type::kHandle, Rank::kScalar, "", "Of the computation."},
    {"program_shape", Type::kString, Rank::kVector, "",
     "ProgramShapeProto with layouts, one a core, so one."}};

constexpr ArgumentDef kExecuteInputs[] = {
    {"computation_handle", Type::kHandle, Rank::kScalar, "", "From XRTCompile."},
    {"execution_config", Type::kString, Rank::kScalar, "", "XRTExecutionConfig."},
    {"input_handles", Type::kHandle, Rank::kScalarOrVector, "Ninputs",
     "Of the values for the parameters, one after another whatever the tensors."}};
constexpr ArgumentDef kExecuteOutputs[] = {
    {"output_handle", Type::kHandle, Rank::kScalarOrVector, "",
     "Of the result; a vector with a handle an element where a tuple is returned exploded."}};
constexpr ArgumentDef kChainedInputs[] = {
    {"execution_plan", Type::kString, Rank::kScalar, "",
     "XRTChainedExecutePlan: steps, each after those whose results it uses."},
    {"execution_config", Type::kString, Rank::kScalar, "", "XRTChainedExecuteConfig."}};
constexpr ArgumentDef kChainedOutputs[] = {
    {"output_handle", Type::kHandle, Rank::kVector, "",
     "Of what the steps name as results, by `result_index`."}};

constexpr ArgumentDef kAllocateInputs[] = {
    {"allocation", Type::kString, Rank::kScalar, "", "XLAAllocation."}};
constexpr ArgumentDef kTensorInputs[] = {
    {"inputs", Type::kAny, Rank::kAny, "dtypes", "The arrays."}};
constexpr ArgumentDef kWriteInputs[] = {
    {"handle", Type::kHandle, Rank::kScalar, "", "Of the value to overwrite."},
    {"literal", Type::kString, Rank::kScalar, "", "LiteralProto of the value's shape."}};
constexpr ArgumentDef kWriteOutputs[] = {
    {"output_handle", Type::kHandle, Rank::kScalar, "", "The same as `handle`."}};

constexpr ArgumentDef kSubTupleInputs[] = {
    {"base_handle", Type::kHandle, Rank::kScalar, "", "Of the whole."},
    {"shape_index", Type::kInt32, Rank::kVector, "",
     "The path to the part: the number of an element at each level, from 0. Empty: the whole."}};
constexpr ArgumentDef kMakeTupleInputs[] = {
    {"tuple_description", Type::kString, Rank::kScalar, "", "XLATupleNode."},
    {"input_handles", Type::kHandle, Rank::kScalar, "Ninputs",
     "Of the values that the description names by number. Not all must be used."}};

constexpr ArgumentDef kReadInputs[] = {
    {"handles", Type::kHandle, Rank::kAny, "", "Of the values, usually one."}};
constexpr ArgumentDef kReadOutputs[] = {
    {"tensors", Type::kAny, Rank::kAny, "dtypes",
     "The arrays that the values hold, depth first, row-major."}};

constexpr ArgumentDef kTransferHandle = {"transfer", Type::kHandle, Rank::kScalar, "",
                                         "Of the transfer."};
constexpr ArgumentDef kOneTransfer[] = {kTransferHandle};
constexpr ArgumentDef kTransfers[] = {
    {"transfer", Type::kHandle, Rank::kAny, "", "Any number of them. One twice counts once."}};
constexpr ArgumentDef kBeginReadOutputs[] = {
    kTransferHandle,
    {"shape", Type::kString, Rank::kScalar, "", "ShapeProto of the value, with layouts."}};
constexpr ArgumentDef kReadChunkInputs[] = {
    kTransferHandle,
    {"leaf", Type::kInt64, Rank::kScalar, "",
     "Number of an array of the value, depth first, from 0."},
    {"offset", Type::kInt64, Rank::kScalar, "", "Where the piece begins, in bytes."},
    {"size", Type::kInt64, Rank::kScalar, "", "Number of bytes."}};
constexpr ArgumentDef kReadChunkOutputs[] = {
    {"bytes", Type::kString, Rank::kScalar, "",
     "Of the array row-major, little endian; types under 8 bits take a byte an element."}};
constexpr ArgumentDef kWriteChunkInputs[] = {
    kTransferHandle,
    {"offset", Type::kInt64, Rank::kScalar, "", "Where the piece begins, in bytes."},
    {"bytes", Type::kString, Rank::kScalar, "", "As AxleReadChunk gives them."}};

constexpr ArgumentDef kMetricsInputs[] = {
    {"request", Type::kString, Rank::kScalar, "",
     "XRTMetricsCollect: regular expressions of RE2, which match whole names."}};
constexpr ArgumentDef kMetricsOutputs[] = {
    {"result", Type::kString, Rank::kScalar, "", "MetricsReport."}};
constexpr ArgumentDef kMemoryOutputs[] = {
    {"result", Type::kString, Rank::kScalar, "", "MemoryInfo."}};

// ---- Attributes ---------------------------------------------------------------------------------

constexpr AttributeDef kInputCount[] = {
    {"Ninputs", "int", "", "Number of tensors with handles; may be left out."}};
constexpr AttributeDef kUninitializedAttributes[] = {
    {"dtype", "type", "", "Element type."}, {"shape", "shape", "", "Dimensions, all known."}};
constexpr AttributeDef kTensorAttributes[] = {
    {"dtypes", "list(type)", "", "Element types of the tensors; may be left out."},
    {"shapes", "list(shape)", "",
     "Dimensions of the arrays on the device, one a tensor. They may differ from the tensor's if "
     "the number of elements is the same."},
    {"layouts", "list(int)", "[]",
     "Dimensions from minor to major, of all shapes one after another, -1 everywhere in a shape "
     "for its default. Checked, and without effect: backends choose how they lay arrays out."},
    {"make_tuple", "bool", "false",
     "One array becomes a tuple of one, none an empty tuple. Several always become a tuple."}};
constexpr AttributeDef kReadAttributes[] = {
    {"dtypes", "list(type)", "", "Element types of all arrays that the values hold, in order."},
    {"release_handles", "bool", "false", "Release the handles once all has been read."}};

// ---- Operations ---------------------------------------------------------------------------------

constexpr OpDef kOps[] = {
    {"XRTCompile",
     kCompileInputs,
     kCompileOutputs,
     {},
     "/tensorflow/xrt/ops/compile",
     "Compiles a program for the device. `hlo_snapshot` is an HloSnapshot, of which the program "
     "alone counts. Programs are compiled once and shared, but each call gives a handle of its "
     "own, to be released on its own. Where `config` has a `program_shape`, the program must have "
     "these parameters and this result, and gets their layouts. `num_replicas` and "
     "`num_cores_per_replica` are 0 or 1, `host_compute_metadata` is empty, a `device_assignment` "
     "names the device of the operation; `debug_options` and `experimental` have no effect.",
     Compile},
    {"XRTReleaseCompilationHandle",
     kAnyHandles,
     {},
     {},
     "/tensorflow/xrt/ops/release_compilation",
     "Releases handles of computations: all of them or, where one is unknown, none. Runs under way "
     "finish.",
     ReleaseCompilationHandle},
    {"XRTExecute", kExecuteInputs, kExecuteOutputs, kInputCount, "/tensorflow/xrt/ops/execute",
     "Runs a computation. Without a release it returns once the run is launched: a failure after "
     "that belongs to the result, and every use of it tells. With `release_input_handles` or "
     "`release_compilation_handle` it waits, and releases once the run has ended well; a run that "
     "fails leaves every handle. A non-zero `rng_seed` makes random numbers repeatable. "
     "`return_exploded_tuple` gives a handle an element of a tuple. `device_ordinal` is 0 or the "
     "device of the operation, `core_index_in_replica` and `replica_id` are 0; "
     "`execution_instance_key` and `run_id` have no effect.",
     Execute},
    {"XRTExecuteChained",
     kChainedInputs,
     kChainedOutputs,
     {},
     "/tensorflow/xrt/ops/execute_chained",
     "Runs several computations on each other's results in one call. A step is a value by its "
     "`data_handle`, or a computation with inputs from earlier steps: `output_index` 0 is a step's "
     "whole result, k its element k-1. The whole plan is checked before the first computation "
     "runs, and `result_index` must count 0, 1, 2 … without holes. Of the configuration, "
     "`rng_seed`, `core_index_in_replica`, `replica_id` and `execution_instance_key` are as for "
     "XRTExecute; a chain releases nothing.",
     ExecuteChained},

    {"XRTAllocate",
     kAllocateInputs,
     kOneNewValue,
     {},
     "/tensorflow/xrt/ops/allocate",
     "Copies a literal to the device. `device_ordinal`, of the first version of XRT, is 0 or the "
     "device of the operation; later versions leave it out.",
     Allocate},
    {"XRTAllocateUninitialized",
     {},
     kOneNewValue,
     kUninitializedAttributes,
     "/tensorflow/xrt/ops/allocate_uninitialized",
     "Makes an array whose elements nobody has set; XRTWriteLiteral sets them.",
     AllocateUninitialized},
    {"XRTAllocateFromTensor", kTensorInputs, kOneNewValue, kTensorAttributes,
     "/tensorflow/xrt/ops/allocate_from_tensor",
     "Copies tensors to the device, as one array or as a tuple. No message is made, so 2 GB are no "
     "limit.",
     AllocateFromTensor},
    {"XRTWriteLiteral",
     kWriteInputs,
     kWriteOutputs,
     {},
     "/tensorflow/xrt/ops/write_literal",
     "Puts a literal in place of a value. Every value that shares its arrays shows the new "
     "elements. Runs under way go on with the old ones.",
     WriteLiteral},
    {"XRTReleaseAllocationHandle",
     kAnyHandles,
     {},
     {},
     "/tensorflow/xrt/ops/release_allocation",
     "Releases handles of values: all of them or, where one is unknown, none. Arrays that other "
     "values share stay.",
     ReleaseAllocationHandle},
    {"XRTReleaseAllAllocations",
     {},
     {},
     {},
     "/tensorflow/xrt/ops/release_all_allocations",
     "Releases every value of the session, on every device. Other sessions keep theirs.",
     ReleaseAllAllocations},
    {"XRTCompactAllocations",
     {},
     {},
     {},
     "/tensorflow/xrt/ops/compact_allocations",
     "Does nothing: backends manage the memory of their devices themselves.",
     CompactAllocations},

    {"XRTSubTuple",
     kSubTupleInputs,
     kOutputValue,
     {},
     "/tensorflow/xrt/ops/sub_tuple",
     "Makes a part of a tuple a value of its own, which shares the part's arrays.",
     SubTuple},
    {"XRTSubTupleAndRelease",
     kSubTupleInputs,
     kOutputValue,
     {},
     "/tensorflow/xrt/ops/sub_tuple",
     "The same, and releases the handle of the whole. Other values that share its arrays are not "
     "touched.",
     SubTupleAndRelease},
    {"XRTMakeTuple", kMakeTupleInputs, kOutputValue, kInputCount, "/tensorflow/xrt/ops/make_tuple",
     "Makes a tuple of values, which shares their arrays. A node of the description that has "
     "`tuples` is an inner node, and its other fields do not count; any other is a leaf, which "
     "puts the whole input `input_index` in its place. A description that is one leaf gives its "
     "input a second handle. Leaves may name an input several times; inputs with the same handle "
     "are one. An input that is used once may be released with `release_input_handle`.",
     MakeTuple},

    {"XRTReadLiteral",
     kOneHandle,
     kLiteral,
     {},
     "/tensorflow/xrt/ops/read_literal",
     "Waits for a value and copies it to the host. Layouts are row-major. Over 2 GB it is an "
     "error: XRTReadToTensor has no such limit.",
     ReadLiteral},
    {"XRTReadLiteralAndRelease",
     kOneHandle,
     kLiteral,
     {},
     "/tensorflow/xrt/ops/read_literal",
     "The same, and releases the handle once the literal is complete.",
     ReadLiteralAndRelease},
    {"XRTReadToTensor", kReadInputs, kReadOutputs, kReadAttributes,
     "/tensorflow/xrt/ops/read_tensor",
     "Waits for values and copies the arrays that they hold to the host.", ReadToTensor},

    {"AxleBeginRead",
     kOneHandle,
     kBeginReadOutputs,
     {},
     "/axle/xrt/ops/begin_read",
     "Begins to read a value in pieces, for values that are too large for one message. The pieces "
     "show the value as it is now, whatever is written to it or released later. What is read is "
     "kept on the host, and counts for the session, until AxleEndTransfer.",
     BeginRead},
    {"AxleReadChunk",
     kReadChunkInputs,
     kReadChunkOutputs,
     {},
     "/axle/xrt/ops/read_chunk",
     "Reads a piece. Each array crosses from the device once, whatever the pieces.",
     ReadChunk},
    {"AxleBeginWrite",
     {},
     kOneTransfer,
     kUninitializedAttributes,
     "/axle/xrt/ops/begin_write",
     "Begins to make an array from pieces. It waits on the host, where it counts for the session. "
     "What no piece writes is zero.",
     BeginWrite},
    {"AxleWriteChunk",
     kWriteChunkInputs,
     {},
     {},
     "/axle/xrt/ops/write_chunk",
     "Writes a piece, in any order.",
     WriteChunk},
    {"AxleFinishWrite",
     kOneTransfer,
     kOneNewValue,
     {},
     "/axle/xrt/ops/finish_write",
     "Copies the array to the device and ends the transfer.",
     FinishWrite},
    {"AxleEndTransfer",
     kTransfers,
     {},
     {},
     "/axle/xrt/ops/end_transfer",
     "Ends transfers, finished or not: all of them or, where one is unknown, none.",
     EndTransfer},

    {"XRTMetricsCollect",
     kMetricsInputs,
     kMetricsOutputs,
     {},
     "",
     "Tells how long operations took, in nanoseconds: of each metric that has been used and whose "
     "name a pattern matches (all without patterns) the percentiles over the last 1024 calls, "
     "failed ones included.",
     CollectMetrics},
    {"XRTMemoryInfo",
     {},
     kMemoryOutputs,
     {},
     "",
     "Tells how much memory the device may use for values and how much of it is free, in "
     "kilobytes; -1 where no limit is set.",
     ReportMemory},
};

}  // namespace

absl::Span<const OpDef> Ops() { return kOps; }

}  // namespace axle::xrt
