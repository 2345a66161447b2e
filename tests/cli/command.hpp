#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace tutti::core {

struct Outcome {
  int status = -1;
  std::string out;
};

/// Runs a line in a shell; add 2>&1 to see what it says on standard error.
inline Outcome shell(const std::string& line) {
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + line);
  Outcome outcome;
  char buffer[4096];
  for (std::size_t size; (size = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    outcome.out.append(buffer, size);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

/// Runs `tutti ARGUMENTS` in a shell.
inline Outcome run(const std::string& arguments) { return shell(TUTTI_COMMAND " " + arguments); }

/// What only standard error gets.
inline Outcome run_for_errors(const std::string& arguments) {
  return run(arguments + " 2>&1 >/dev/null");
}

inline std::string contents(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace tutti::core
