// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "gtest/gtest.h"

namespace axle {
namespace {

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = absl::StrCat(::testing::TempDir(), "/axle_file_XXXXXX");
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    const auto names = ListDirectory(folder_);
    if (names.ok()) {
      for (const std::string& name : *names) remove(Path(name).c_str());
    }
    rmdir(folder_.c_str());
  }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
};

TEST_F(FileTest, ReadsWhatWasWritten) {
  const std::string content("a\0b\r\n\xff", 6);
  ASSERT_TRUE(WriteFileAtomically(Path("f"), content).ok());
  EXPECT_EQ(ReadFile(Path("f")).value(), content);
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "").ok());
  EXPECT_EQ(ReadFile(Path("f")).value(), "");
  EXPECT_EQ(ListDirectory(folder_).value(), std::vector<std::string>{"f"});
}

TEST_F(FileTest, ReadsFilesLongerThanOneRead) {
  std::string content;
  for (int i = 0; content.size() < 300000; ++i) absl::StrAppend(&content, i, " ");
  ASSERT_TRUE(WriteFileAtomically(Path("f"), content).ok());
  EXPECT_EQ(ReadFile(Path("f")).value(), content);
}

TEST_F(FileTest, ReadsPipesToTheirEnd) {
  ASSERT_EQ(mkfifo(Path("p").c_str(), 0600), 0);
  const std::string content(200000, 'x');
  std::thread writer([&] { EXPECT_TRUE(WriteFileAtomically(Path("p"), content).ok()); });
  const auto read = ReadFile(Path("p"));
  writer.join();
  EXPECT_EQ(read.value(), content);
  struct stat info;
  ASSERT_EQ(stat(Path("p").c_str(), &info), 0);
  EXPECT_TRUE(S_ISFIFO(info.st_mode)) << "the pipe was replaced by a file";
}

TEST_F(FileTest, RefusesMoreThanTheLimit) {
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "12345").ok());
  EXPECT_EQ(ReadFile(Path("f"), {.max_bytes = 5}).value(), "12345");
  const absl::Status status = ReadFile(Path("f"), {.max_bytes = 4}).status();
  EXPECT_EQ(ErrorIdOf(status), "AX0004");
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  // A device without a size.
  EXPECT_EQ(ErrorIdOf(ReadFile("/dev/zero", {.max_bytes = 1000}).status()), "AX0004");
}

TEST_F(FileTest, MissingFilesAndFoldersAreNamed) {
  for (const absl::Status& status :
       {ReadFile(Path("nope")).status(), ListDirectory(Path("nope")).status(),
        WriteFileAtomically(Path("nope/f"), "x")}) {
    EXPECT_EQ(ErrorIdOf(status), "AX0001");
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_TRUE(absl::StrContains(status.message(), Path("nope"))) << status;
  }
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "x").ok());
  EXPECT_EQ(ErrorIdOf(ReadFile(Path("f/g")).status()), "AX0001");
  EXPECT_EQ(ErrorIdOf(ListDirectory(Path("f")).status()), "AX0001");
}

TEST_F(FileTest, FoldersAreNoFiles) {
  EXPECT_EQ(ErrorIdOf(ReadFile(folder_).status()), "AX0002");
  EXPECT_EQ(ErrorIdOf(WriteFileAtomically(folder_, "x")), "AX0002");
}

TEST_F(FileTest, PermissionIsNeeded) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "x").ok());
  ASSERT_EQ(chmod(Path("f").c_str(), 0), 0);
  EXPECT_EQ(ErrorIdOf(ReadFile(Path("f")).status()), "AX0003");
}

TEST_F(FileTest, OtherSystemErrorsKeepTheirText) {
  const absl::Status status = ReadFile(Path(std::string(5000, 'n'))).status();
  EXPECT_EQ(ErrorIdOf(status), "AX0005");
  EXPECT_TRUE(absl::StrContains(status.message(), "File name too long")) << status;
}

TEST_F(FileTest, PathsWithAZeroByteNameNoFile) {
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "x").ok());
  const std::string path = Path("f") + std::string("\0.npy", 5);
  EXPECT_EQ(ErrorIdOf(ReadFile(path).status()), "AX0005");
  EXPECT_EQ(ErrorIdOf(WriteFileAtomically(path, "y")), "AX0005");
  EXPECT_EQ(ReadFile(Path("f")).value(), "x");
}

TEST_F(FileTest, WritingFollowsSymbolicLinks) {
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "old").ok());
  ASSERT_EQ(symlink(Path("f").c_str(), Path("link").c_str()), 0);
  ASSERT_TRUE(WriteFileAtomically(Path("link"), "new").ok());
  EXPECT_EQ(ReadFile(Path("f")).value(), "new");
  struct stat info;
  ASSERT_EQ(lstat(Path("link").c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
}

TEST_F(FileTest, AFailedWriteLeavesTheOldFileAndNoOther) {
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "old").ok());
  // A full device: every write to it fails with ENOSPC.
  EXPECT_EQ(ErrorIdOf(WriteFileAtomically("/dev/full", "x")), "AX0005");
  EXPECT_EQ(ReadFile(Path("f")).value(), "old");
  EXPECT_EQ(ListDirectory(folder_).value().size(), 1);
}

TEST_F(FileTest, ListsSortedWithoutDots) {
  for (const char* name : {"b", "a", ".hidden", "B"}) {
    ASSERT_TRUE(WriteFileAtomically(Path(name), "").ok());
  }
  EXPECT_EQ(ListDirectory(folder_).value(), (std::vector<std::string>{".hidden", "B", "a", "b"}));
}

}  // namespace
}  // namespace axle
