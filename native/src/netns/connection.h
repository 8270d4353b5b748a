// A connection on its way.
//
// Owns: the socket, until it is there and is taken.
// Threads: none of its own. Call it from one thread at a time.
#pragma once

#include <sys/epoll.h>
#include <sys/socket.h>

#include <expected>
#include <utility>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::netns {

class Connection {
 public:
  static std::expected<Connection, SysError> Open(Descriptor socket) {
    // Its descriptor is readable when the socket is writable: what waits here waits for that alone.
    Descriptor epoll(epoll_create1(EPOLL_CLOEXEC));
    if (epoll.get() < 0) return Failed("epoll_create1");
    epoll_event event{.events = EPOLLOUT, .data = {}};
    if (epoll_ctl(epoll.get(), EPOLL_CTL_ADD, socket.get(), &event) != 0) return Failed("epoll_ctl");
    return Connection(std::move(socket), std::move(epoll));
  }

  // The socket, which is the caller's from here on, or why there is no connection. Once, when `fd()` is readable.
  std::expected<int, SysError> Take() {
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) return Failed("getsockopt");
    if (error != 0) return std::unexpected(SysError{"connect", error});
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, socket_.get(), nullptr);
    return socket_.Release();
  }

  int fd() const noexcept { return epoll_.get(); }

 private:
  Connection(Descriptor socket, Descriptor epoll) noexcept : socket_(std::move(socket)), epoll_(std::move(epoll)) {}

  Descriptor socket_;
  Descriptor epoll_;
};

}  // namespace nodecore::netns
