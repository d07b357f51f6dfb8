// SPDX-License-Identifier: Apache-2.0
#include "runtime/session.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/leaves.h"
#include "runtime/errors.h"
#include "runtime/shape_text.h"

namespace axle::runtime {
namespace {

// The arrays of a literal, depth first.
void AppendArrays(const hlo::Literal& literal, std::vector<const hlo::Literal*>* arrays) {
  if (!literal.IsTuple()) {
    arrays->push_back(&literal);
    return;
  }
  for (const hlo::Literal& element : literal.elements()) AppendArrays(element, arrays);
}

absl::Status CheckArrays(const hlo::Shape& shape) {
  std::vector<hlo::Shape> leaves;
  hlo::AppendLeaves(shape, &leaves);
  for (const hlo::Shape& leaf : leaves) {
    if (leaf.IsArray() && !leaf.is_unbounded()) continue;
    return MakeError(errors::kNoArray, absl::StrCat("a value of shape ", ShapeText(shape),
                                                    " has a part ", leaf.ToString(false)));
  }
  return Allocation::CheckBounds(shape);
}

}  // namespace

Session::Session(std::shared_ptr<Store> store, SessionOptions options)
    : store_(std::move(store)),
      account_(
          std::make_shared<Account>(absl::StrCat("session ", options.name), options.max_bytes)),
      transfer_origin_(std::make_shared<const Origin>(Origin{account_, nullptr, nullptr, nullptr})),
      handles_(options.name, store_->epoch()) {
  for (const std::unique_ptr<Device>& device : store_->backend()->devices()) {
    upload_origins_.push_back(Origin::Make(account_, store_->device_account(device->id())));
  }
}

absl::Status Session::CheckDevice(int device) const {
  const int count = static_cast<int>(store_->backend()->devices().size());
  if (device >= 0 && device < count) return absl::OkStatus();
  return MakeError(errors::kNoSuchDevice,
                   absl::StrCat("device ", device, " of backend ", store_->backend()->name(),
                                ", which has ", count));
}

absl::StatusOr<Allocation> Session::Upload(const hlo::Literal& literal, int device) {
  AXLE_RETURN_IF_ERROR(CheckDevice(device));
  AXLE_RETURN_IF_ERROR(CheckArrays(literal.shape()));
  const std::string what = absl::StrCat("upload of ", ShapeText(literal.shape()));
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, literal.shape().ByteSize());
  AXLE_ASSIGN_OR_RETURN(Charge charge, Charge::Make(upload_origins_[device], bytes, what));
  std::vector<const hlo::Literal*> arrays;
  AppendArrays(literal, &arrays);
  std::vector<std::shared_ptr<Leaf>> leaves;
  leaves.reserve(arrays.size());
  for (const hlo::Literal* array : arrays) {
    auto buffer = UploadLiteral(*store_->backend()->devices()[device], *array);
    if (!buffer.ok()) return store_->ExplainOutOfMemory(buffer.status(), what);
    leaves.push_back(std::make_shared<Leaf>(
        *std::move(buffer), charge.Take(static_cast<int64_t>(array->bytes().size()))));
  }
  return Allocation::Tree(literal.shape().WithoutLayouts(), std::move(leaves));
}

absl::StatusOr<Allocation> Session::Import(HostImport import, int device) {
  absl::Cleanup release = [&import] {
    if (import.released) import.released();
  };
  AXLE_RETURN_IF_ERROR(CheckDevice(device));
  AXLE_RETURN_IF_ERROR(CheckArrays(import.shape));
  if (import.shape.IsTuple() || import.shape.has_dynamic_dimensions()) {
    return MakeError(errors::kNoArray,
                     absl::StrCat("an import of host memory is one static array, not ",
                                  ShapeText(import.shape)));
  }
  const std::string what = absl::StrCat("import of ", ShapeText(import.shape));
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, import.shape.ByteSize());
  AXLE_ASSIGN_OR_RETURN(Charge charge, Charge::Make(upload_origins_[device], bytes, what));
  std::move(release).Cancel();  // from here on the device calls it
  auto buffer = store_->backend()->devices()[device]->Upload(
      import.shape.WithoutLayouts(), import.data,
      import.writable ? HostMemory::kGivenUntilReleased : HostMemory::kReadUntilReleased,
      std::move(import.released));
  if (!buffer.ok()) return store_->ExplainOutOfMemory(buffer.status(), what);
  return Allocation(
      std::make_shared<Leaf>(*std::move(buffer), std::move(charge), !import.writable));
}

absl::StatusOr<Allocation> Session::Reserve(const hlo::Shape& shape, int device) {
  AXLE_RETURN_IF_ERROR(CheckDevice(device));
  AXLE_RETURN_IF_ERROR(CheckArrays(shape));
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, shape.ByteSize());
  // Before the host has to find as much.
  AXLE_RETURN_IF_ERROR(
      Charge::Make(upload_origins_[device], bytes, absl::StrCat("reserving ", ShapeText(shape)))
          .status());
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal zeros,
                        hlo::Literal::Zeros(shape.WithStaticDimensions()));
  return Upload(zeros, device);
}

absl::Status Session::Write(const Allocation& allocation, const hlo::Literal& literal) {
  if (!hlo::Compatible(allocation.shape(), literal.shape())) {
    return MakeError(errors::kWriteShape,
                     absl::StrCat("the value is ", ShapeText(allocation.shape()),
                                  ", what is written ", ShapeText(literal.shape())));
  }
  std::vector<const hlo::Literal*> arrays;
  AppendArrays(literal, &arrays);
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (size_t i = 0; i < arrays.size(); ++i) {
    auto buffer = UploadLiteral(allocation.leaves()[i]->device(), *arrays[i]);
    if (!buffer.ok()) {
      return store_->ExplainOutOfMemory(buffer.status(),
                                        absl::StrCat("write of ", ShapeText(literal.shape())));
    }
    buffers.push_back(*std::move(buffer));
  }
  return Leaf::Write(allocation.leaves(), std::move(buffers));
}

absl::StatusOr<std::shared_ptr<Transfer>> Session::BeginRead(const Allocation& allocation) {
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, allocation.shape().ByteSize());
  AXLE_ASSIGN_OR_RETURN(Charge charge,
                        Charge::Make(transfer_origin_, bytes,
                                     absl::StrCat("reading ", ShapeText(allocation.shape()))));
  std::vector<std::shared_ptr<Buffer>> buffers;
  buffers.reserve(allocation.leaves().size());
  for (const std::shared_ptr<Leaf>& leaf : allocation.leaves()) {
    AXLE_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer, leaf->buffer());
    buffers.push_back(std::move(buffer));
  }
  return std::make_shared<Transfer>(Transfer::PrivateTag(), allocation, std::move(buffers),
                                    std::move(charge));
}

absl::StatusOr<std::shared_ptr<Transfer>> Session::BeginWrite(const hlo::Shape& array, int device) {
  AXLE_RETURN_IF_ERROR(CheckDevice(device));
  if (!array.IsArray() || array.has_dynamic_dimensions()) {
    return MakeError(errors::kNoArray, absl::StrCat("what is written in pieces is one static "
                                                    "array, not ",
                                                    ShapeText(array)));
  }
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, array.ByteSize());
  AXLE_ASSIGN_OR_RETURN(Charge charge, Charge::Make(transfer_origin_, bytes,
                                                    absl::StrCat("writing ", ShapeText(array))));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal zeros, hlo::Literal::Zeros(array));
  return std::make_shared<Transfer>(Transfer::PrivateTag(), std::move(zeros), device,
                                    std::move(charge));
}

absl::StatusOr<Allocation> Session::FinishWrite(Transfer& transfer) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal written, transfer.Take());
  const int64_t bytes = static_cast<int64_t>(written.bytes().size());
  absl::StatusOr<Allocation> allocation = Upload(written, transfer.device());
  if (!allocation.ok()) {
    transfer.Restore(std::move(written), Charge::Anyway(transfer_origin_, bytes));
  }
  return allocation;
}

absl::StatusOr<OwnedProgram> Session::Own(absl::StatusOr<std::shared_ptr<CachedProgram>> cached) {
  if (!cached.ok()) return store_->ExplainOutOfMemory(cached.status(), "compilation");
  const int device = (*cached)->program().device().id();
  auto origin = Origin::Make(account_, store_->device_account(device), &(*cached)->account(),
                             (*cached)->program().result_leaves());
  return OwnedProgram{*std::move(cached), std::move(origin)};
}

ProgramCache::Request Session::Limited(ProgramCache::Request request) const {
  int64_t& limit = request.options.max_value_bytes;
  limit = std::min(limit, store_->max_value_bytes());
  return request;
}

absl::StatusOr<OwnedProgram> Session::Compile(absl::string_view bytes,
                                              const ProgramCache::Request& request) {
  return Own(store_->cache()->Get(bytes, Limited(request)));
}

absl::StatusOr<OwnedProgram> Session::Compile(std::shared_ptr<const VerifiedModule> module,
                                              const ProgramCache::Request& request) {
  return Own(store_->cache()->Get(std::move(module), Limited(request)));
}

absl::StatusOr<Allocation> Session::Run(const OwnedProgram& program,
                                        absl::Span<const Allocation* const> arguments,
                                        const LaunchOptions& options, ArgumentChecks checks) {
  auto result = Launch(program.cached->program(), arguments, program.origin, options, checks);
  if (!result.ok()) {
    result = store_->ExplainOutOfMemory(result.status(), program.cached->program().name());
  }
  return result;  // one variable on every path, so that it is not moved
}

absl::StatusOr<std::vector<int64_t>> Session::KeepAll(std::vector<Allocation> allocations) {
  std::vector<HandleTarget> targets;
  targets.reserve(allocations.size());
  for (Allocation& allocation : allocations) {
    targets.push_back({std::make_shared<const Allocation>(std::move(allocation)), nullptr});
  }
  std::vector<int64_t> handles(targets.size());
  AXLE_RETURN_IF_ERROR(handles_.Add(absl::MakeSpan(targets), absl::MakeSpan(handles)));
  return handles;
}

absl::StatusOr<int64_t> Session::Keep(Allocation allocation) {
  HandleTarget target{std::make_shared<const Allocation>(std::move(allocation)), nullptr};
  int64_t handle = 0;
  AXLE_RETURN_IF_ERROR(handles_.Add(absl::MakeSpan(&target, 1), absl::MakeSpan(&handle, 1)));
  return handle;
}

absl::StatusOr<int64_t> Session::Keep(OwnedProgram program) {
  HandleTarget target{nullptr, std::make_shared<const OwnedProgram>(std::move(program))};
  int64_t handle = 0;
  AXLE_RETURN_IF_ERROR(handles_.Add(absl::MakeSpan(&target, 1), absl::MakeSpan(&handle, 1)));
  return handle;
}

absl::StatusOr<int64_t> Session::Keep(std::shared_ptr<Transfer> transfer) {
  HandleTarget target{nullptr, nullptr, std::move(transfer)};
  int64_t handle = 0;
  AXLE_RETURN_IF_ERROR(handles_.Add(absl::MakeSpan(&target, 1), absl::MakeSpan(&handle, 1)));
  return handle;
}

absl::StatusOr<std::vector<int64_t>> Session::Execute(const ExecuteRequest& request) {
  AXLE_ASSIGN_OR_RETURN(const std::shared_ptr<const OwnedProgram> program,
                        handles_.FindProgram(request.program));
  absl::InlinedVector<std::shared_ptr<const Allocation>, 8> inputs;
  absl::InlinedVector<const Allocation*, 8> arguments;
  for (const int64_t handle : request.inputs) {
    AXLE_ASSIGN_OR_RETURN(std::shared_ptr<const Allocation> input, handles_.FindAllocation(handle));
    arguments.push_back(input.get());
    inputs.push_back(std::move(input));
  }
  AXLE_ASSIGN_OR_RETURN(Allocation result, Run(*program, arguments, request.launch));
  const bool release = request.release_inputs || request.release_program;
  if (release) AXLE_RETURN_IF_ERROR(result.Await());
  std::vector<Allocation> results;
  if (request.explode && result.shape().IsTuple()) {
    results = result.Elements();
  } else {
    results.push_back(std::move(result));
  }
  AXLE_ASSIGN_OR_RETURN(std::vector<int64_t> handles, KeepAll(std::move(results)));
  if (request.release_inputs) handles_.ReleaseIfPresent(request.inputs);
  if (request.release_program) handles_.ReleaseIfPresent({request.program});
  return handles;
}

}  // namespace axle::runtime
