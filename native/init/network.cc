#include "network.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kmsg.h"

namespace nodecore::init {

void LoopbackUp() {
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  strncpy(request.ifr_name, "lo", IFNAMSIZ - 1);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (any < 0 || ioctl(any, SIOCSIFFLAGS, &request) != 0) Log("lo: %s", strerror(errno));
  if (any >= 0) close(any);
}

}  // namespace nodecore::init
