// SPDX-License-Identifier: Apache-2.0
#include "tools/console.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "tools/errors.h"

namespace axle::tools {
namespace {

bool IsTerminal(std::FILE* stream) {
  const int descriptor = fileno(stream);
  return descriptor >= 0 && isatty(descriptor) == 1;
}

}  // namespace

Console::Console(std::FILE* out, std::FILE* error)
    : out_(out), error_(error), is_terminal_(IsTerminal(error)) {}

void Console::Failed(int error_number) {
  if (error_number == EPIPE) {
    reader_gone_ = true;
  } else if (error_number_ == 0) {
    error_number_ = error_number;
  }
}

void Console::Print(absl::string_view text) {
  ClearProgress();
  if (reader_gone_ || error_number_ != 0) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size()) Failed(errno);
}

void Console::PrintJson(const nlohmann::ordered_json& object) {
  Print(absl::StrCat(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "\n"));
}

void Console::Note(absl::string_view line) {
  Flush();  // keeps the order where both streams go to one place
  const std::string text = absl::StrCat("axle: ", line, "\n");
  std::fwrite(text.data(), 1, text.size(), error_);
  std::fflush(error_);
}

void Console::Progress(absl::string_view line) {
  if (!is_terminal_) return;
  Flush();
  const std::string text = absl::StrCat("\r\x1b[K", line);
  std::fwrite(text.data(), 1, text.size(), error_);
  std::fflush(error_);
  shows_progress_ = true;
}

void Console::ClearProgress() {
  if (!shows_progress_) return;
  std::fputs("\r\x1b[K", error_);
  std::fflush(error_);
  shows_progress_ = false;
}

void Console::Flush() {
  ClearProgress();
  if (reader_gone_ || error_number_ != 0) return;
  errno = 0;
  if (std::fflush(out_) != 0) Failed(errno);
}

absl::Status Console::Finish() {
  Flush();
  if (error_number_ == 0) return absl::OkStatus();
  return MakeError(errors::kOutputFailed,
                   absl::StrCat("standard output: ", std::strerror(error_number_)));
}

}  // namespace axle::tools
