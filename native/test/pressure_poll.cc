// Peer of a bench: waits for a pressure trigger as plainly as it can be done, and prints when it fired.
//
//     pressure_poll FILE CONDITION COUNT
//
// One line "armed", then a line per event: CLOCK_MONOTONIC in ns.

#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int fd = open(argv[1], O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0 || write(fd, argv[2], std::strlen(argv[2]) + 1) < 0) {
    std::perror(argv[1]);
    return 1;
  }
  std::puts("armed");
  std::fflush(stdout);
  for (int left = std::atoi(argv[3]); left > 0; --left) {
    pollfd event{fd, POLLPRI, 0};
    if (poll(&event, 1, -1) != 1 || (event.revents & POLLERR) != 0) return 1;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::printf("%lld\n", static_cast<long long>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
    std::fflush(stdout);
  }
  close(fd);
  return 0;
}
