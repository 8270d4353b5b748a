// Keeps one service: starts its program, logs what it prints and reports how it ended. It outlives the agent that started it;
// the next agent finds it by its socket.
//
//   keeper DIRECTORY [--parent PID] [--cgroup DIRECTORY] [--hash HEX] [--files N] [--oom N] [--root DIRECTORY]
//          [--bind SOURCE:TARGET[:ro]]… [--seccomp service|extension] -- PROGRAM [ARGUMENT…]
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>

#include "keeper.h"
#include "options.h"

using namespace nodecore::keeper;

namespace {

// A keeper that has written down how its program ended lets go of the lock in a moment; one whose program runs has no such file.
bool Take(int lock) {
  for (int tries = 0; flock(lock, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno != EWOULDBLOCK || access("ended", F_OK) != 0 || tries == 5'000) return false;
    const timespec wait{0, 1'000'000};
    nanosleep(&wait, nullptr);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = ParseOptions(argc, argv);
  if (!options) {
    fputs("keeper: it is the agent's: keeper DIRECTORY [FLAG VALUE]… -- PROGRAM [ARGUMENT]…\n", stderr);
    return 2;
  }
  umask(077);
  if (chdir(options->directory.c_str()) != 0) {
    perror(options->directory.c_str());
    return 1;
  }
  // One keeper per service, even with several agents.
  const int lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || !Take(lock)) {
    puts("busy");
    return 3;
  }
  return Keeper(*options, lock).Run();
}
