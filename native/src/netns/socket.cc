#include "netns/socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/wait.h>

#include <csignal>
#include <cstddef>

namespace nodecore::netns {

namespace {

// As many connections as Node.js lets wait.
constexpr int kBacklog = 511;
constexpr std::size_t kStackBytes = 32 * 1024;

struct Errand {
  int network;
  int user;
  int family;
  int type;
  int made = -1;
  // What is said of a process that was killed on its way.
  SysError failure = {"clone", ECHILD};
};

// Runs in the process that shares our memory: system calls only. The thread that waits for it lends it errno.
__attribute__((no_sanitize("address", "undefined"))) int RunErrand(void* argument) {
  auto* const errand = static_cast<Errand*>(argument);
  if ((errand->user >= 0 && setns(errand->user, CLONE_NEWUSER) != 0) || setns(errand->network, CLONE_NEWNET) != 0) {
    errand->failure = {"setns", errno};
    return 0;
  }
  errand->made = socket(errand->family, errand->type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (errand->made < 0) errand->failure = {"socket", errno};
  return 0;
}

std::expected<Descriptor, SysError> SocketIn(const Namespace& where, int family, int type) {
  const Descriptor network(open(where.network.c_str(), O_RDONLY | O_CLOEXEC));
  if (network.get() < 0) return Failed("open");
  const Descriptor user(where.user.empty() ? -1 : open(where.user.c_str(), O_RDONLY | O_CLOEXEC));
  if (!where.user.empty() && user.get() < 0) return Failed("open");
  Errand errand{.network = network.get(), .user = user.get(), .family = family, .type = type};
  alignas(16) std::byte stack[kStackBytes];
  // It would run our handlers, on our memory.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = clone(RunErrand, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_FILES, &errand);
  const int error = errno;
  if (pid > 0) {
    while (waitpid(pid, nullptr, __WALL) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return std::unexpected(SysError{"clone", error});
  if (errand.made < 0) return std::unexpected(errand.failure);
  return Descriptor(errand.made);
}

}  // namespace

std::expected<Endpoint, SysError> ToEndpoint(const std::string& address, std::uint16_t port) {
  Endpoint endpoint;
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&endpoint.address);
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&endpoint.address);
  if (inet_pton(AF_INET, address.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    endpoint.length = sizeof *v4;
  } else if (inet_pton(AF_INET6, address.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    endpoint.length = sizeof *v6;
  } else {
    return std::unexpected(SysError{"inet_pton", EINVAL});
  }
  return endpoint;
}

std::expected<Descriptor, SysError> Listen(const Namespace& where, const Endpoint& endpoint) {
  auto made = SocketIn(where, endpoint.address.ss_family, SOCK_STREAM);
  if (!made) return made;
  const int one = 1;
  const int zero = 0;
  // As Node.js does: the port of a server that has just ended is free, and `::` is of both families on every computer.
  if (setsockopt(made->get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0) return Failed("setsockopt");
  if (endpoint.address.ss_family == AF_INET6 &&
      setsockopt(made->get(), IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero) != 0)
    return Failed("setsockopt");
  if (bind(made->get(), reinterpret_cast<const sockaddr*>(&endpoint.address), endpoint.length) != 0) return Failed("bind");
  if (listen(made->get(), kBacklog) != 0) return Failed("listen");
  return made;
}

std::expected<Descriptor, SysError> Dial(const Namespace& where, const Endpoint& endpoint) {
  auto made = SocketIn(where, endpoint.address.ss_family, SOCK_STREAM);
  if (!made) return made;
  const auto* const address = reinterpret_cast<const sockaddr*>(&endpoint.address);
  if (connect(made->get(), address, endpoint.length) != 0 && errno != EINPROGRESS) return Failed("connect");
  return made;
}

std::expected<Descriptor, SysError> Datagram(const Namespace& where, int family) {
  auto made = SocketIn(where, family, SOCK_DGRAM);
  if (!made) return made;
  Endpoint any;
  any.address.ss_family = static_cast<sa_family_t>(family);
  any.length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  if (bind(made->get(), reinterpret_cast<const sockaddr*>(&any.address), any.length) != 0) return Failed("bind");
  return made;
}

}  // namespace nodecore::netns
