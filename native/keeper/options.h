// What a keeper is told on its command line.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace nodecore::keeper {

struct Options {
  // The service's own: its lock, socket, state and log.
  std::string directory;
  // Ends with this process; 0: with nobody.
  pid_t parent = 0;
  // Where the program lives; empty: where the keeper does.
  std::string cgroup;
  // Told to whoever asks what runs.
  std::string hash;
  // RLIMIT_NOFILE; 0: as inherited.
  unsigned long files = 0;
  // oom_score_adj; nothing: as inherited.
  std::optional<int> oom;
  std::vector<std::string> words;
};

// @returns nothing for a command line that is none.
std::optional<Options> ParseOptions(int argc, char** argv);

}  // namespace nodecore::keeper
