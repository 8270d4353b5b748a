// The keeper's command line.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "seccomp.h"

namespace nodecore::keeper {

// A bind mount: a path of this machine and where the program sees it.
struct Bind {
  std::string source;
  std::string target;
  bool is_read_only = false;
};

struct Options {
  // The service's directory: its lock, socket, state and log.
  std::string directory;
  // Ends when this process ends; 0: outlives every process.
  pid_t parent = 0;
  // The program's cgroup; empty: that of the keeper.
  std::string cgroup;
  // Sent to clients, to tell which configuration runs.
  std::string hash;
  // RLIMIT_NOFILE; 0: as inherited.
  unsigned long files = 0;
  // oom_score_adj; nothing: as inherited.
  std::optional<int> oom;
  // The program's root directory; empty: that of the keeper.
  std::string root;
  std::vector<Bind> binds;
  Refusals refusals = Refusals::kNone;
  std::vector<std::string> words;
};

// @returns nothing for an invalid command line.
std::optional<Options> ParseOptions(int argc, char** argv);

}  // namespace nodecore::keeper
