#include "uevent/uevent_socket.h"

#include <linux/netlink.h>
#include <sys/socket.h>

#include <array>

namespace nodecore::uevent {

namespace {

constexpr unsigned kKernelGroup = 1;
// The kernel builds a message in 2 KiB; what is longer is not a kobject-uevent.
constexpr std::size_t kMessageBytes = 8192;
// Bounds one call: the caller comes back as long as the descriptor is readable.
constexpr std::size_t kMessagesPerBatch = 1024;

bool FromKernel(const sockaddr_nl& sender) noexcept {
  // netlink(7): port 0 is the kernel and no process can have it.
  return sender.nl_family == AF_NETLINK && sender.nl_pid == 0 && sender.nl_groups == kKernelGroup;
}

}  // namespace

std::expected<UeventSocket, SysError> UeventSocket::Open(int receive_buffer_bytes) {
  Descriptor descriptor(socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT));
  if (descriptor.get() < 0) return Failed("socket");

  const int size = receive_buffer_bytes;
  // socket(7): only CAP_NET_ADMIN may pass rmem_max; without it the plain option takes what the limit allows.
  if (setsockopt(descriptor.get(), SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0 &&
      setsockopt(descriptor.get(), SOL_SOCKET, SO_RCVBUF, &size, sizeof size) < 0) {
    return Failed("setsockopt");
  }

  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = kKernelGroup;
  if (bind(descriptor.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0) return Failed("bind");
  return UeventSocket(std::move(descriptor));
}

std::expected<Batch, SysError> UeventSocket::Receive() {
  Batch batch;
  std::array<char, kMessageBytes> buffer;
  while (batch.messages.size() < kMessagesPerBatch) {
    sockaddr_nl sender{};
    iovec part{buffer.data(), buffer.size()};
    msghdr header{};
    header.msg_name = &sender;
    header.msg_namelen = sizeof sender;
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    const ssize_t size = recvmsg(fd(), &header, MSG_DONTWAIT);
    if (size < 0) {
      if (errno == EAGAIN) break;
      if (errno == EINTR) continue;
      if (errno != ENOBUFS) return Failed("recvmsg");
      batch.overflowed = true;  // netlink(7): the error is reported once, then messages flow again
      continue;
    }
    if (!FromKernel(sender)) continue;
    if ((header.msg_flags & MSG_TRUNC) != 0) {
      batch.overflowed = true;
    } else {
      batch.messages.emplace_back(buffer.data(), static_cast<std::size_t>(size));
    }
  }
  return batch;
}

}  // namespace nodecore::uevent
