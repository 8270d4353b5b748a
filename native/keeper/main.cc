// Keeps one service: starts its program, writes down what it prints, and says how it ended. It goes on when the agent that has
// started it does not, and another agent finds it by its socket.
//
//   keeper DIRECTORY [--parent PID] [--cgroup DIRECTORY] [--hash HEX] [--files N] [--oom N] [--root DIRECTORY]
//          [--bind SOURCE:TARGET[:ro]]… -- PROGRAM [ARGUMENT…]
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "keeper.h"
#include "options.h"

using namespace nodecore::keeper;

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
  // One keeper a service, however many agents there are.
  const int lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) {
    puts("busy");
    return 3;
  }
  return Keeper(*options, lock).Run();
}
