// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/errors.h"
#include "base/status_macros.h"

namespace axle {
namespace {

// Closes at the end of the scope; Close() tells whether that worked, which matters after writing.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool Close() {
    const int fd = fd_;
    fd_ = -1;
    return close(fd) == 0;
  }

 private:
  int fd_;
};

absl::Status SystemError(absl::string_view action, const std::string& path, int error) {
  const std::string what = absl::StrCat("cannot ", action, " '", path, "'");
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return MakeError(errors::kFileNotFound, absl::StrCat(what, ": it does not exist"));
    case EISDIR:
      return MakeError(errors::kFileIsDirectory, absl::StrCat(what, ": it is a folder"));
    case EACCES:
    case EPERM:
    case EROFS:
      return MakeError(errors::kFileNoPermission, absl::StrCat(what, ": permission denied"));
    default:
      return MakeError(errors::kFileFailed,
                       absl::StrCat(what, ": ", std::generic_category().message(error)));
  }
}

// The system's calls end a path at its first zero byte and would take another file.
absl::Status CheckPath(absl::string_view action, const std::string& path) {
  if (path.find('\0') == std::string::npos) return absl::OkStatus();
  return MakeError(errors::kFileFailed, absl::StrCat("cannot ", action, " '", path.c_str(),
                                                     "…': the path holds a zero byte"));
}

int OpenRetrying(const char* path, int flags, mode_t mode = 0) {
  int fd;
  do {
    fd = open(path, flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

absl::Status TooLarge(const std::string& path, int64_t limit) {
  return MakeError(errors::kFileTooLarge,
                   absl::StrCat("cannot read '", path, "': more than ", limit, " bytes"));
}

absl::Status WriteAll(int fd, const std::string& path, absl::string_view content) {
  while (!content.empty()) {
    const ssize_t n = write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("write", path, errno);
    content.remove_prefix(n);
  }
  return absl::OkStatus();
}

absl::Status WriteDirectly(const std::string& path, absl::string_view content) {
  Descriptor file(OpenRetrying(path.c_str(), O_WRONLY));
  if (file.get() < 0) return SystemError("write", path, errno);
  AXLE_RETURN_IF_ERROR(WriteAll(file.get(), path, content));
  if (!file.Close()) return SystemError("write", path, errno);
  return absl::OkStatus();
}

absl::Status WriteAndSync(int fd, const std::string& path, absl::string_view content) {
  Descriptor file(fd);
  AXLE_RETURN_IF_ERROR(WriteAll(fd, path, content));
  if (fsync(fd) != 0 || !file.Close()) return SystemError("write", path, errno);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path, const ReadFileOptions& options) {
  AXLE_RETURN_IF_ERROR(CheckPath("read", path));
  Descriptor file(OpenRetrying(path.c_str(), O_RDONLY));
  if (file.get() < 0) return SystemError("read", path, errno);
  struct stat info;
  if (fstat(file.get(), &info) != 0) return SystemError("read", path, errno);
  if (S_ISDIR(info.st_mode)) return SystemError("read", path, EISDIR);

  // The size is a hint: pipes have none, and a file may change while it is read.
  int64_t expected = S_ISREG(info.st_mode) ? info.st_size : 0;
  if (expected > options.max_bytes) return TooLarge(path, options.max_bytes);
  std::string content;
  int64_t size = 0;
  while (true) {
    // One byte more than expected, so that the read that meets the end needs no growth.
    const int64_t room = std::max<int64_t>(expected + 1 - size, 64 << 10);
    content.resize(size + room);
    const ssize_t n = read(file.get(), content.data() + size, room);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("read", path, errno);
    if (n == 0) break;
    size += n;
    if (size > options.max_bytes) return TooLarge(path, options.max_bytes);
    if (size > expected) expected = std::min(2 * size, options.max_bytes);
  }
  content.resize(size);
  return content;
}

absl::Status WriteFileAtomically(const std::string& path, absl::string_view content) {
  AXLE_RETURN_IF_ERROR(CheckPath("write", path));
  std::string target = path;
  struct stat info;
  if (stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return SystemError("write", path, EISDIR);
    if (!S_ISREG(info.st_mode)) return WriteDirectly(path, content);
    const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                           &std::free);
    if (real == nullptr) return SystemError("write", path, errno);
    target = real.get();
  } else if (errno != ENOENT) {
    return SystemError("write", path, errno);
  }

  static std::atomic<uint64_t> counter{0};
  const std::string temporary = absl::StrCat(target, ".tmp.", getpid(), ".", counter++);
  const int fd = OpenRetrying(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (fd < 0) return SystemError("write", path, errno);
  absl::Status status = WriteAndSync(fd, path, content);
  if (status.ok() && rename(temporary.c_str(), target.c_str()) != 0) {
    status = SystemError("write", path, errno);
  }
  if (!status.ok()) unlink(temporary.c_str());
  return status;
}

absl::StatusOr<std::vector<std::string>> ListDirectory(const std::string& path) {
  AXLE_RETURN_IF_ERROR(CheckPath("list", path));
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), &closedir);
  if (folder == nullptr) return SystemError("list", path, errno);
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* entry = readdir(folder.get());
    if (entry == nullptr) break;
    const absl::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return SystemError("list", path, errno);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace axle
