// The program that a keeper keeps, with everything that it starts.
#pragma once

#include <sys/types.h>

#include <string>

#include "options.h"

namespace nodecore::keeper {

// How a program ended: with a code, or by a signal.
struct End {
  int code = 0;
  int signal = 0;
};

class Program {
 public:
  // @param output the program's standard output and error.
  // @returns 0, or the errno of what can't be done.
  int Start(const Options& options, int output);

  pid_t pid() const noexcept { return pid_; }
  const std::string& startTime() const noexcept { return start_time_; }
  // The program alone.
  void Signal(int number) const;
  // Reaps whatever ended. @returns whether the program is among it.
  bool Reap(End& end);
  // Everything that it left behind, too; nothing of it lives when this returns.
  void EndRest() const;

 private:
  pid_t pid_ = -1;
  std::string start_time_;
  std::string cgroup_;
};

}  // namespace nodecore::keeper
