// SPDX-License-Identifier: Apache-2.0
#include "xrt_script/runner.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "xrt_script/messages.h"

namespace axle::xrt_script {
namespace {

const xrt::OpDef& FindOp(absl::string_view name) {
  size_t at = 0;
  while (xrt::Ops()[at].name != name) ++at;
  return xrt::Ops()[at];
}

// The definition of output number `at`, of which the last may stand for several.
const xrt::ArgumentDef& OutputDef(const xrt::OpDef& op, size_t at) {
  return op.outputs[std::min(at, op.outputs.size() - 1)];
}

// Values of a tensor of messages, one each.
std::vector<xrt::Value> Singles(const xrt::Value& value) {
  const auto* strings = std::get_if<xrt::Strings>(&value);
  if (strings == nullptr) return {value};
  std::vector<xrt::Value> singles;
  for (const std::string& bytes : strings->values) singles.push_back(BytesValue(bytes));
  return singles;
}

std::string ReferenceText(const Reference& reference) {
  if (reference.name.empty()) return absl::StrCat(reference.number);
  return absl::StrCat(reference.session, reference.session.empty() ? "" : ".", reference.name);
}

// What a result is called: the first handle that the operation was given.
std::string NameOf(const Statement& statement) {
  if (!statement.operands.empty()) {
    if (const auto* one = std::get_if<Reference>(&statement.operands.front())) {
      return ReferenceText(*one);
    }
    if (const auto* list = std::get_if<std::vector<Reference>>(&statement.operands.front())) {
      return absl::StrJoin(*list, ", ", [](std::string* out, const Reference& reference) {
        out->append(ReferenceText(reference));
      });
    }
  }
  return statement.op;
}

bool IsExpected(const absl::Status& status, absl::string_view expected) {
  return ErrorIdOf(status) == expected || absl::StatusCodeToString(status.code()) == expected;
}

std::string PlaceText(const Script& script, const Statement& statement) {
  return absl::StrCat(script.path, ":", LineOf(script.text, statement.place));
}

}  // namespace

Runner::Runner(std::shared_ptr<runtime::Backend> backend, RunOptions options)
    : backend_(std::move(backend)), options_(std::move(options)) {
  runtime::StoreOptions store = options_.store;
  store.epoch = epoch_;
  store_ = runtime::Store::Create(backend_, std::move(store));
  sessions_["main"].device = options_.device;
}

absl::Status Runner::Run(const Script& script) { return RunAll(script, script.statements); }

absl::Status Runner::RunAll(const Script& script, const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    AXLE_RETURN_IF_ERROR(RunStatement(script, statement));
  }
  return absl::OkStatus();
}

absl::Status Runner::RunStatement(const Script& script, const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::kOperation:
      return RunOperation(script, statement);
    case Statement::Kind::kRepeat:
      for (int64_t i = 0; i < statement.number; ++i) {
        AXLE_RETURN_IF_ERROR(RunAll(script, statement.body));
      }
      return absl::OkStatus();
    case Statement::Kind::kSession: {
      const auto [found, added] = sessions_.try_emplace(statement.session);
      Session& session = found->second;
      if (added) session.device = options_.device;
      if (session.session == nullptr) session.max_bytes = statement.number;
      current_ = statement.session;
      return absl::OkStatus();
    }
    case Statement::Kind::kEndSession: {
      const auto found = sessions_.find(statement.session);
      if (found == sessions_.end()) {
        return ScriptError(script.path, script.text, statement.place,
                           absl::StrCat("there is no session ", statement.session));
      }
      Operations(statement.session).session().End();
      found->second.ended = true;
      return absl::OkStatus();
    }
    case Statement::Kind::kDevice:
      sessions_[current_].device = static_cast<int>(statement.number);
      return absl::OkStatus();
    case Statement::Kind::kRestart:
      Restart();
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

void Runner::Restart() {
  for (auto& [name, session] : sessions_) {
    session.operations.clear();
    session.session.reset();
    session.ended = false;
  }
  runtime::StoreOptions store = options_.store;
  store.epoch = ++epoch_;
  store_ = runtime::Store::Create(backend_, std::move(store));
}

xrt::OpSet& Runner::Operations(const std::string& name) {
  Session& session = sessions_[name];
  if (session.session == nullptr) {
    runtime::SessionOptions options = {.name = name};
    if (session.max_bytes >= 0) options.max_bytes = session.max_bytes;
    session.session = store_->OpenSession(std::move(options));
  }
  std::unique_ptr<xrt::OpSet>& operations = session.operations[session.device];
  if (operations == nullptr) {
    operations = std::make_unique<xrt::OpSet>(session.session, session.device);
  }
  return *operations;
}

absl::StatusOr<int64_t> Runner::Find(const Script& script, const Reference& reference) const {
  if (reference.name.empty()) return reference.number;
  const auto session = sessions_.find(reference.session.empty() ? current_ : reference.session);
  if (session != sessions_.end()) {
    const auto handle = session->second.handles.find(reference.name);
    if (handle != session->second.handles.end()) return handle->second;
  }
  return ScriptError(
      script.path, script.text, reference.place,
      absl::StrCat("nothing has made ", ReferenceText(reference), " in this session yet"));
}

absl::StatusOr<xrt::Value> Runner::Evaluate(const Script& script, const Operand& operand) const {
  if (const auto* value = std::get_if<xrt::Value>(&operand)) return *value;
  if (const auto* reference = std::get_if<Reference>(&operand)) {
    AXLE_ASSIGN_OR_RETURN(const int64_t handle, Find(script, *reference));
    return xrt::Value(hlo::Literal::Scalar<int64_t>(handle));
  }
  if (const auto* references = std::get_if<std::vector<Reference>>(&operand)) {
    std::vector<int64_t> handles;
    for (const Reference& reference : *references) {
      AXLE_ASSIGN_OR_RETURN(const int64_t handle, Find(script, reference));
      handles.push_back(handle);
    }
    return xrt::Value(hlo::Literal::Vector<int64_t>(handles));
  }
  const auto& message = std::get<MessageTemplate>(operand);
  const auto resolve = [&](absl::string_view name, size_t) -> absl::StatusOr<std::string> {
    const std::vector<std::string> parts = absl::StrSplit(name, absl::MaxSplits('.', 1));
    Reference reference = {.place = message.place, .name = parts.back()};
    if (parts.size() == 2) reference.session = parts.front();
    AXLE_ASSIGN_OR_RETURN(const int64_t handle, Find(script, reference));
    return absl::StrCat(handle);
  };
  AXLE_ASSIGN_OR_RETURN(const std::string text, SubstituteHandles(message.text, resolve));
  size_t place = 0;
  AXLE_ASSIGN_OR_RETURN(const auto proto, ParseMessageText(*message.type, text, &place));
  return MessageValue(*proto);
}

absl::Status Runner::RunOperation(const Script& script, const Statement& statement) {
  std::vector<xrt::Value> inputs;
  for (const Operand& operand : statement.operands) {
    AXLE_ASSIGN_OR_RETURN(xrt::Value input, Evaluate(script, operand));
    inputs.push_back(std::move(input));
  }
  const absl::StatusOr<std::vector<xrt::Value>> outputs =
      Operations(current_).Run(statement.op, statement.attributes, inputs);
  if (!statement.expected_error.empty()) {
    if (outputs.ok()) {
      Tell(Event::Kind::kDifference, script, statement, statement.expected_error, "no error");
      NameHandles(script, statement, *outputs);
      return absl::OkStatus();
    }
    if (!IsExpected(outputs.status(), statement.expected_error)) {
      Tell(Event::Kind::kDifference, script, statement, statement.expected_error,
           std::string(outputs.status().message()));
    }
    return absl::OkStatus();
  }
  if (!outputs.ok()) return AtPlace(PlaceText(script, statement), outputs.status());
  NameHandles(script, statement, *outputs);
  return AtPlace(PlaceText(script, statement), TakeResults(script, statement, *outputs));
}

void Runner::NameHandles(const Script& script, const Statement& statement,
                         const std::vector<xrt::Value>& outputs) {
  const xrt::OpDef& op = FindOp(statement.op);
  std::vector<int64_t> handles;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (OutputDef(op, i).type != xrt::ArgumentType::kHandle) continue;
    const absl::Span<const int64_t> part = std::get<hlo::Literal>(outputs[i]).data<int64_t>();
    handles.insert(handles.end(), part.begin(), part.end());
  }
  const std::vector<std::string>& names = statement.names;
  if (!names.empty() && names.size() != handles.size()) {
    Tell(Event::Kind::kDifference, script, statement, absl::StrCat(names.size(), " handles"),
         absl::StrCat(handles.size(), " handles"));
  }
  for (size_t i = 0; i < std::min(names.size(), handles.size()); ++i) {
    sessions_[current_].handles[names[i]] = handles[i];
  }
}

absl::Status Runner::TakeResults(const Script& script, const Statement& statement,
                                 const std::vector<xrt::Value>& outputs) {
  const xrt::OpDef& op = FindOp(statement.op);
  std::vector<Result> results;
  bool has_handles = false;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const xrt::ArgumentDef& def = OutputDef(op, i);
    if (def.type == xrt::ArgumentType::kHandle) {
      has_handles = true;
      continue;
    }
    for (xrt::Value& value : Singles(outputs[i])) results.push_back({&def, std::move(value)});
  }
  if (!statement.expected.empty()) return CompareResults(script, statement, results);
  if (has_handles || results.empty()) return absl::OkStatus();
  std::vector<std::string> texts;
  for (const Result& result : results) {
    AXLE_ASSIGN_OR_RETURN(std::string text,
                          ResultText(*result.def, result.value, /*layouts=*/true));
    texts.push_back(std::move(text));
  }
  Tell(Event::Kind::kResult, script, statement, "", absl::StrJoin(texts, ", "));
  return absl::OkStatus();
}

absl::Status Runner::CompareResults(const Script& script, const Statement& statement,
                                    const std::vector<Result>& results) {
  const std::vector<ExpectedValue>& expected = statement.expected;
  if (expected.size() != results.size()) {
    Tell(Event::Kind::kDifference, script, statement, absl::StrCat(expected.size(), " results"),
         absl::StrCat(results.size(), " results"));
    return absl::OkStatus();
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const auto& [def, value] = results[i];
    AXLE_ASSIGN_OR_RETURN(std::string text, ResultText(*def, value, /*layouts=*/true));
    if (const auto* literal = std::get_if<hlo::Literal>(&expected[i].value)) {
      AXLE_ASSIGN_OR_RETURN(const auto came, ResultLiteral(*def, value));
      if (came.has_value() && SameLiteral(*literal, *came)) continue;
      Tell(Event::Kind::kDifference, script, statement, LiteralText(*literal), text);
      continue;
    }
    const std::string& wanted = std::get<std::string>(expected[i].value);
    AXLE_ASSIGN_OR_RETURN(const std::string plain, ResultText(*def, value, /*layouts=*/false));
    if (wanted == text || wanted == plain) continue;
    Tell(Event::Kind::kDifference, script, statement, wanted, text);
  }
  return absl::OkStatus();
}

void Runner::Tell(Event::Kind kind, const Script& script, const Statement& statement,
                  std::string expected, std::string text) const {
  options_.on_event({.kind = kind,
                     .line = LineOf(script.text, statement.place),
                     .source = statement.source,
                     .name = NameOf(statement),
                     .expected = std::move(expected),
                     .text = std::move(text)});
}

}  // namespace axle::xrt_script
