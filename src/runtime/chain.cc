// SPDX-License-Identifier: Apache-2.0
#include "runtime/chain.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "runtime/errors.h"
#include "runtime/shape_text.h"

namespace axle::runtime {
namespace {

// A step with what its handle stands for.
struct Step {
  const ChainStep* plan = nullptr;
  std::shared_ptr<const Allocation> value;
  std::shared_ptr<const OwnedProgram> program;
  hlo::Shape shape;  // of the result
  size_t last_use = 0;
  Allocation result;

  Device* device() const {
    return value != nullptr ? value->device() : &program->cached->program().device();
  }
};

template <typename... Parts>
absl::Status PlanError(size_t step, const Parts&... parts) {
  return MakeError(errors::kPlan, absl::StrCat("step ", step, ": ", parts...));
}

// The shape of a part of a step's result.
absl::StatusOr<hlo::Shape> PartShape(const Step& source, int64_t part, size_t at) {
  if (part == 0) return source.shape;
  const auto elements = source.shape.tuple_shapes();
  if (part < 0 || part > static_cast<int64_t>(elements.size())) {
    return PlanError(at, "part ", part, " of a result of shape ", ShapeText(source.shape));
  }
  return elements[part - 1];
}

absl::Status CheckInputs(const std::vector<Step>& steps, size_t at) {
  const Step& step = steps[at];
  const std::vector<ChainStep::Input>& inputs = step.plan->inputs;
  if (step.value != nullptr) {
    if (inputs.empty()) return absl::OkStatus();
    return PlanError(at, "is a value and takes no inputs, ", inputs.size(), " given");
  }
  const Program& program = step.program->cached->program();
  const hlo::ProgramShape& signature = program.signature();
  if (inputs.size() != signature.parameters.size()) {
    return MakeError(errors::kArgumentCount, absl::StrCat("step ", at, ": program ", program.name(),
                                                          " takes ", signature.parameters.size(),
                                                          " inputs, ", inputs.size(), " given"));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].step < 0 || inputs[i].step >= static_cast<int64_t>(at)) {
      return PlanError(at, "input ", i, " is of step ", inputs[i].step,
                       ", which does not come before");
    }
    const Step& source = steps[inputs[i].step];
    AXLE_ASSIGN_OR_RETURN(const hlo::Shape shape, PartShape(source, inputs[i].part, at));
    if (absl::Status fits = program.CheckParameter(i, shape, source.device()); !fits.ok()) {
      return AtPlace(absl::StrCat("step ", at), fits);
    }
  }
  for (const Donation& donation : program.donations()) {
    if (!donation.must) continue;
    return MakeError(errors::kMustDonate,
                     absl::StrCat("step ", at, ": input leaf ", donation.parameter, " of program ",
                                  program.name(), "; a chain gives nothing away"));
  }
  return absl::OkStatus();
}

// Places must be 0, 1, 2 … with each given once.
absl::Status CheckPlaces(absl::Span<const ChainStep> plan, size_t* count) {
  *count = 0;
  for (const ChainStep& step : plan) *count += step.outputs.size();
  std::vector<bool> taken(*count);
  for (size_t at = 0; at < plan.size(); ++at) {
    for (const ChainStep::Output& output : plan[at].outputs) {
      if (output.place < 0 || output.place >= static_cast<int64_t>(*count)) {
        return PlanError(at, "a result at place ", output.place, " of ", *count);
      }
      if (taken[output.place]) return PlanError(at, "a second result at place ", output.place);
      taken[output.place] = true;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Step>> Resolve(Session& session, absl::Span<const ChainStep> plan) {
  std::vector<Step> steps(plan.size());
  for (size_t at = 0; at < plan.size(); ++at) {
    Step& step = steps[at];
    step.plan = &plan[at];
    step.last_use = at;
    if (plan[at].kind == ChainStep::Kind::kValue) {
      AXLE_ASSIGN_OR_RETURN(step.value, session.handles().FindAllocation(plan[at].handle));
      step.shape = step.value->shape();
    } else {
      AXLE_ASSIGN_OR_RETURN(step.program, session.handles().FindProgram(plan[at].handle));
      step.shape = step.program->cached->program().result_tree();
    }
    AXLE_RETURN_IF_ERROR(CheckInputs(steps, at));
    for (const ChainStep::Input& input : plan[at].inputs) steps[input.step].last_use = at;
    for (const ChainStep::Output& output : plan[at].outputs) {
      AXLE_RETURN_IF_ERROR(PartShape(step, output.part, at).status());
    }
  }
  return steps;
}

absl::StatusOr<Allocation> Part(const Allocation& whole, int64_t part) {
  if (part == 0) return whole;
  return whole.SubTuple({part - 1});
}

absl::Status RunStep(Session& session, std::vector<Step>& steps, size_t at,
                     const LaunchOptions& options) {
  Step& step = steps[at];
  if (step.value != nullptr) {
    step.result = *step.value;
    return absl::OkStatus();
  }
  std::vector<Allocation> inputs;
  inputs.reserve(step.plan->inputs.size());
  for (const ChainStep::Input& input : step.plan->inputs) {
    AXLE_ASSIGN_OR_RETURN(Allocation part, Part(steps[input.step].result, input.part));
    inputs.push_back(std::move(part));
  }
  std::vector<const Allocation*> arguments;
  for (const Allocation& input : inputs) arguments.push_back(&input);
  absl::StatusOr<Allocation> result = session.Run(*step.program, arguments, options);
  if (!result.ok()) return AtPlace(absl::StrCat("step ", at), result.status());
  step.result = *std::move(result);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> ExecuteChain(Session& session,
                                                  absl::Span<const ChainStep> plan,
                                                  const LaunchOptions& options) {
  size_t count = 0;
  AXLE_RETURN_IF_ERROR(CheckPlaces(plan, &count));
  AXLE_ASSIGN_OR_RETURN(std::vector<Step> steps, Resolve(session, plan));
  std::vector<Allocation> results(count);
  for (size_t at = 0; at < steps.size(); ++at) {
    AXLE_RETURN_IF_ERROR(RunStep(session, steps, at, options));
    for (const ChainStep::Output& output : plan[at].outputs) {
      AXLE_ASSIGN_OR_RETURN(results[output.place], Part(steps[at].result, output.part));
    }
    // What nobody needs any more is let go at once.
    if (steps[at].last_use == at) steps[at].result = Allocation();
    for (const ChainStep::Input& input : plan[at].inputs) {
      if (steps[input.step].last_use == at) steps[input.step].result = Allocation();
    }
  }
  return session.KeepAll(std::move(results));
}

}  // namespace axle::runtime
