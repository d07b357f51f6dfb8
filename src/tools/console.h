// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error of a command.
#ifndef AXLE_TOOLS_CONSOLE_H_
#define AXLE_TOOLS_CONSOLE_H_

#include <cstdio>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace axle::tools {

// Output is flushed by Flush and Finish. A reader that went away (`axle … | head`) ends output
// without an error; every other failure to write comes back from Finish. Not thread-safe. The
// streams are the caller's.
class Console {
 public:
  Console(std::FILE* out, std::FILE* error);

  // Set by --json: one object is printed, in place of text.
  bool json = false;

  void Print(absl::string_view text);  // standard output, as it is
  void PrintJson(
      const nlohmann::ordered_json& object);  // one line; bytes that are no UTF-8 replaced
  void Note(absl::string_view line);          // standard error: "axle: <line>"
  // A line on standard error that the next output overwrites; only where that is a terminal.
  void Progress(absl::string_view line);
  void Flush();
  // Flushes, and tells whether all output could be written: AX0963.
  absl::Status Finish();

 private:
  void ClearProgress();
  void Failed(int error_number);

  std::FILE* const out_;
  std::FILE* const error_;
  const bool is_terminal_;
  bool shows_progress_ = false;
  bool reader_gone_ = false;
  int error_number_ = 0;  // of the first write that failed
};

}  // namespace axle::tools

#endif  // AXLE_TOOLS_CONSOLE_H_
