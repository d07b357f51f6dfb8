// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/shared_library.h"

#include <dlfcn.h>
#include <elf.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "pjrt_client/errors.h"

namespace axle::pjrt_client {
namespace {

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
#error "The ELF machine number of this architecture is not known here"
#endif

absl::Status NotLibrary(const std::string& path, absl::string_view why) {
  return MakeError(errors::kPluginNotLibrary, absl::StrCat("'", path, "' ", why));
}

bool ReadAt(std::ifstream& file, uint64_t offset, void* to, size_t size) {
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(static_cast<char*>(to), static_cast<std::streamsize>(size));
  return file.good();
}

absl::Status CheckHeader(const std::string& path, const Elf64_Ehdr& header) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return NotLibrary(path, "is not an ELF file");
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kMachine) {
    return NotLibrary(path, "is an ELF file for another kind of machine");
  }
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return NotLibrary(path, "is an ELF file but no shared library");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckSharedLibrary(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return MakeError(errors::kPluginFile, absl::StrCat("'", path, "' is not a file"));
  }
  const uint64_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    return MakeError(errors::kPluginFile,
                     absl::StrCat("'", path, "' cannot be read: ", std::strerror(errno)));
  }
  Elf64_Ehdr header;
  if (size < sizeof(header) || !ReadAt(file, 0, &header, sizeof(header))) {
    return NotLibrary(path, "is not an ELF file");
  }
  AXLE_RETURN_IF_ERROR(CheckHeader(path, header));
  // At most 65,535 program headers, so no bound on the allocation is needed beyond the field's.
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (header.e_phoff > size ||
      !ReadAt(file, header.e_phoff, segments.data(), segments.size() * sizeof(Elf64_Phdr))) {
    return NotLibrary(path, "is cut off: its program headers are missing");
  }
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) {
      return NotLibrary(path, absl::StrCat("is cut off: it has ", size, " bytes and a segment of ",
                                           segment.p_filesz, " at ", segment.p_offset));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<void*> LoadSharedLibrary(const std::string& path) {
  AXLE_RETURN_IF_ERROR(CheckSharedLibrary(path));
  // A name without a slash would be searched for.
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  void* library = dlopen(error ? path.c_str() : absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* words = dlerror();
    return MakeError(errors::kPluginLoad, words == nullptr ? absl::StrCat("'", path, "'") : words);
  }
  return library;
}

}  // namespace axle::pjrt_client
