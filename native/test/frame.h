// Frames for the tests and benches of captures: UDP over IPv4 with room for a running number.
#pragma once

#include <linux/if_ether.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nodecore::test {

inline constexpr std::size_t kHeaderBytes = 14 + 20 + 8;

inline void Put16(std::uint8_t* at, std::size_t value) {
  at[0] = static_cast<std::uint8_t>(value >> 8);
  at[1] = static_cast<std::uint8_t>(value);
}

inline void Tag(std::vector<std::uint8_t>& frame, unsigned vlan) {
  const std::uint8_t tag[] = {0x81, 0, static_cast<std::uint8_t>(vlan >> 8), static_cast<std::uint8_t>(vlan)};
  frame.insert(frame.begin() + 12, std::begin(tag), std::end(tag));
}

inline std::vector<std::uint8_t> Frame(std::size_t size) {
  std::vector<std::uint8_t> frame(size);
  constexpr std::uint8_t kAddresses[] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
  std::copy(std::begin(kAddresses), std::end(kAddresses), frame.begin());
  Put16(&frame[12], ETH_P_IP);
  std::uint8_t* const ip = &frame[14];
  ip[0] = 0x45;
  Put16(ip + 2, size - 14);
  ip[8] = 64;
  ip[9] = IPPROTO_UDP;
  constexpr std::uint8_t kHosts[] = {192, 0, 2, 1, 192, 0, 2, 2};
  std::copy(std::begin(kHosts), std::end(kHosts), ip + 12);
  std::uint32_t sum = 0;
  for (int i = 0; i < 20; i += 2) sum += static_cast<std::uint32_t>(ip[i] << 8 | ip[i + 1]);
  sum = (sum & 0xffff) + (sum >> 16);
  Put16(ip + 10, ~(sum + (sum >> 16)) & 0xffff);
  Put16(ip + 20, 4000);
  Put16(ip + 22, 5000);
  Put16(ip + 24, size - 34);
  return frame;
}

}  // namespace nodecore::test
