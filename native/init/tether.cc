// tether PARENT PROGRAM [ARGUMENT…]: becomes the program, when PARENT is still its parent: one that died before the kernel was
// asked to tell of its death would not be noticed. For a system without a shell; setpriv(1) asks the kernel before.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc < 3 || getppid() != static_cast<pid_t>(strtol(argv[1], nullptr, 10))) return 1;
  execvp(argv[2], argv + 2);
  return errno == ENOENT ? 127 : 126;
}
