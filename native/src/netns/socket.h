// Sockets in another network namespace: a socket belongs to the one that it was made in, whoever uses it then.
//
// Owns: nothing. A process that shares memory and descriptors with this one enters the namespace, makes the socket and ends; a
// thread could not enter a user namespace, and is not needed then.
// Threads: any. A call takes as long as that process does.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <expected>
#include <string>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::netns {

struct Namespace {
  // Files of nsfs, as /run/netns/NAME and /proc/PID/ns/user.
  std::string network;
  // Empty: the namespace is of a user that this process may act for already.
  std::string user;
};

struct Endpoint {
  sockaddr_storage address = {};
  socklen_t length = 0;
};

// EINVAL for a text that is no address of IPv4 or IPv6.
std::expected<Endpoint, SysError> ToEndpoint(const std::string& address, std::uint16_t port);

// It listens. At `::` it takes connections of both families.
std::expected<Descriptor, SysError> Listen(const Namespace& where, const Endpoint& endpoint);
// It is on its way, and writable when it is there, or has failed.
std::expected<Descriptor, SysError> Dial(const Namespace& where, const Endpoint& endpoint);
// For datagrams of a family, at any port.
std::expected<Descriptor, SysError> Datagram(const Namespace& where, int family);

}  // namespace nodecore::netns
