// The network interfaces of this process's network namespace, as a capture sees them.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "core/sys_error.h"

namespace nodecore::packet {

struct Interface {
  std::string name;
  std::uint32_t index = 0;
  // ARPHRD_ETHER and its kind (if_arp.h): what the link layer's header looks like.
  std::uint16_t hardware_type = 0;
  // IFF_UP and its kind (netdevice(7)).
  std::uint32_t flags = 0;
  std::uint32_t mtu = 0;
};

std::expected<std::vector<Interface>, SysError> Interfaces();

}  // namespace nodecore::packet
