// SPDX-License-Identifier: Apache-2.0
#include "tools/console.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

#include "base/error.h"
#include "gtest/gtest.h"

namespace axle::tools {
namespace {

std::string Content(std::FILE* file) {
  std::string content(static_cast<size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  content.resize(std::fread(content.data(), 1, content.size(), file));
  return content;
}

TEST(ConsoleTest, TextJsonAndNotes) {
  std::FILE* out = std::tmpfile();
  std::FILE* error = std::tmpfile();
  Console console(out, error);
  console.Print("a\n");
  console.Progress("not shown: no terminal");
  console.PrintJson({{"text", "\xff"}, {"n", 1}});
  console.Note("bad luck");
  EXPECT_TRUE(console.Finish().ok());
  EXPECT_EQ(Content(out), "a\n{\"text\":\"\xef\xbf\xbd\",\"n\":1}\n");
  EXPECT_EQ(Content(error), "axle: bad luck\n");
  std::fclose(out);
  std::fclose(error);
}

TEST(ConsoleTest, FullDeviceIsAnError) {
  std::FILE* out = std::fopen("/dev/full", "w");
  ASSERT_NE(out, nullptr);
  Console console(out, stderr);
  console.Print("a\n");
  EXPECT_EQ(ErrorIdOf(console.Finish()), "AX0963");
  EXPECT_EQ(ErrorIdOf(console.Finish()), "AX0963");
  std::fclose(out);
}

TEST(ConsoleTest, ReaderThatIsGoneIsNoError) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  std::FILE* out = fdopen(ends[1], "w");
  Console console(out, stderr);
  console.Print(std::string(1 << 20, 'x'));
  console.Flush();
  console.Print("more");
  EXPECT_TRUE(console.Finish().ok());
  std::fclose(out);
}

}  // namespace
}  // namespace axle::tools
