// SPDX-License-Identifier: Apache-2.0
// Runs scripts of XRT operations on a backend.
#ifndef AXLE_XRT_SCRIPT_RUNNER_H_
#define AXLE_XRT_SCRIPT_RUNNER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/session.h"
#include "xrt/op_set.h"
#include "xrt_script/script.h"

namespace axle::xrt_script {

// What a statement shows.
struct Event {
  enum class Kind { kResult, kDifference };

  Kind kind = Kind::kResult;
  int64_t line = 0;
  std::string source;    // first line of the statement
  std::string name;      // of a result: the operand that was read, or the operation
  std::string expected;  // of a difference
  std::string text;      // the result; of a difference, what came
};

struct RunOptions {
  runtime::StoreOptions store;
  int device = 0;  // at the beginning of each session
  std::function<void(const Event&)> on_event;
};

// One store, and the sessions that scripts name. Not thread-safe.
class Runner {
 public:
  // A session, with its operations on each device that it has used.
  struct Session {
    std::shared_ptr<runtime::Session> session;  // null before its first use, also after a restart
    int64_t max_bytes = -1;                     // -1: no limit
    bool ended = false;
    int device = 0;
    std::map<int, std::unique_ptr<xrt::OpSet>> operations;
    absl::flat_hash_map<std::string, int64_t> handles;  // by name; they stay when released
  };

  Runner(std::shared_ptr<runtime::Backend> backend, RunOptions options);

  // Runs statements until one fails that must not: its error, behind "path:line". Error AX0958 for
  // a handle without a name.
  absl::Status Run(const Script& script);

  runtime::Store& store() { return *store_; }
  const std::map<std::string, Session>& sessions() const { return sessions_; }

 private:
  absl::Status RunAll(const Script& script, const std::vector<Statement>& statements);
  absl::Status RunStatement(const Script& script, const Statement& statement);
  absl::Status RunOperation(const Script& script, const Statement& statement);
  void Restart();
  xrt::OpSet& Operations(const std::string& session);

  absl::StatusOr<int64_t> Find(const Script& script, const Reference& reference) const;
  absl::StatusOr<xrt::Value> Evaluate(const Script& script, const Operand& operand) const;
  void NameHandles(const Script& script, const Statement& statement,
                   const std::vector<xrt::Value>& outputs);
  // Compares what is no handle with what is expected, or shows it.
  struct Result {
    const xrt::ArgumentDef* def;
    xrt::Value value;
  };
  absl::Status TakeResults(const Script& script, const Statement& statement,
                           const std::vector<xrt::Value>& outputs);
  absl::Status CompareResults(const Script& script, const Statement& statement,
                              const std::vector<Result>& results);
  void Tell(Event::Kind kind, const Script& script, const Statement& statement,
            std::string expected, std::string text) const;

  const std::shared_ptr<runtime::Backend> backend_;
  const RunOptions options_;
  uint32_t epoch_ = 1;
  std::shared_ptr<runtime::Store> store_;
  std::map<std::string, Session> sessions_;
  std::string current_ = "main";
};

}  // namespace axle::xrt_script

#endif  // AXLE_XRT_SCRIPT_RUNNER_H_
