// The program of a keeper, with every process that it starts.
#pragma once

#include <sys/types.h>

#include <string>

#include "options.h"

namespace nodecore::keeper {

// How a program ended: by an exit code or a signal.
struct End {
  int code = 0;
  int signal = 0;
};

class Program {
 public:
  // @param output the program's standard output and error.
  // @returns 0, or the errno of the call that failed.
  int Start(const Options& options, int output);

  pid_t pid() const noexcept { return pid_; }
  const std::string& startTime() const noexcept { return start_time_; }
  // Signals the program, not its children.
  void Signal(int number) const;
  // Reaps ended processes. @returns whether the program is among them.
  bool Reap(End& end);
  // Kills every process that it left behind; none is alive when this returns.
  void EndRest() const;

 private:
  pid_t pid_ = -1;
  std::string start_time_;
  std::string cgroup_;
};

}  // namespace nodecore::keeper
