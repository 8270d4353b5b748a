// What a keeper is told on its command line.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace nodecore::keeper {

// A path of this machine that the program finds at another one.
struct Bind {
  std::string source;
  std::string target;
  bool is_read_only = false;
};

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
  // What is `/` to the program; empty: what is so to the keeper.
  std::string root;
  std::vector<Bind> binds;
  std::vector<std::string> words;
};

// @returns nothing for a command line that is none.
std::optional<Options> ParseOptions(int argc, char** argv);

}  // namespace nodecore::keeper
