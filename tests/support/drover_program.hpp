#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace drover::test {

/// How a command line of the program ended, and what it said on both outputs.
struct ProgramRun {
  int exit_code = -1;  ///< 128 and the signal's number where a signal ended it.
  std::string said;
};

/// Runs `drover ARGUMENTS` through the shell, `before` in front of it; no input.
inline ProgramRun run_drover(const std::string& arguments, const std::string& before = "") {
  ProgramRun run;
  FILE* pipe = popen((before + " " DROVER_PROGRAM " " + arguments + " </dev/null 2>&1").c_str(), "r");
  if (pipe == nullptr) return run;
  char block[4096];
  while (const std::size_t got = fread(block, 1, sizeof block, pipe)) run.said.append(block, got);
  const int status = pclose(pipe);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

}  // namespace drover::test
