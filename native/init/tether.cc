// tether PARENT PROGRAM [ARGUMENT…]: executes the program while PARENT is still its parent: a parent that died before
// PR_SET_PDEATHSIG would go unnoticed. For a system without a shell; setpriv(1) sets the signal before.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc < 3 || getppid() != static_cast<pid_t>(strtol(argv[1], nullptr, 10))) return 1;
  execvp(argv[2], argv + 2);
  return errno == ENOENT ? 127 : 126;
}
