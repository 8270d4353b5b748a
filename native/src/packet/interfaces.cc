#include "packet/interfaces.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstring>
#include <memory>
#include <optional>

#include "core/descriptor.h"

namespace nodecore::packet {

namespace {

// Nothing for an interface that is gone since it was listed.
std::optional<ifreq> Ask(int fd, unsigned long what, const char* name) noexcept {
  ifreq request{};
  std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (ioctl(fd, what, &request) < 0) return std::nullopt;
  return request;
}

}  // namespace

std::expected<std::vector<Interface>, SysError> Interfaces() {
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return Failed("socket");
  const std::unique_ptr<struct if_nameindex, decltype(&if_freenameindex)> names(if_nameindex(), if_freenameindex);
  if (names == nullptr) return Failed("if_nameindex");
  std::vector<Interface> result;
  for (const struct if_nameindex* name = names.get(); name->if_index != 0; ++name) {
    const auto hardware = Ask(socket.get(), SIOCGIFHWADDR, name->if_name);
    const auto flags = Ask(socket.get(), SIOCGIFFLAGS, name->if_name);
    const auto mtu = Ask(socket.get(), SIOCGIFMTU, name->if_name);
    if (!hardware || !flags || !mtu) continue;
    // The flags are 16 bits in a signed short.
    result.push_back({name->if_name, name->if_index, hardware->ifr_hwaddr.sa_family,
                      static_cast<std::uint16_t>(flags->ifr_flags), static_cast<std::uint32_t>(mtu->ifr_mtu)});
  }
  return result;
}

}  // namespace nodecore::packet
