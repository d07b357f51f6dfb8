// SPDX-License-Identifier: Apache-2.0
// The command line tool `axle`.
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/command.h"
#include "tools/console.h"

int main(int argc, char** argv) {
  // Writing to a closed pipe becomes an error that the console knows.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  axle::tools::Console console(stdout, stderr);
  return static_cast<int>(axle::tools::RunAxle(words, console));
}
