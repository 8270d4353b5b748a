// Sends frames as fast as packet sockets allow, or at a rate: flood INTERFACE FRAME_BYTES COUNT [PER_SECOND [VLAN]]
// A rate of 0 is as fast as it goes. Each frame is UDP over IPv4 with a running number in its payload; a VLAN's tag comes
// on top of its size. Prints how many the interface took.

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "frame.h"

namespace {

constexpr std::size_t kBatch = 64;

}  // namespace

using nodecore::test::Frame;
using nodecore::test::kHeaderBytes;
using nodecore::test::Tag;

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::size_t size = std::max<std::size_t>(std::strtoul(argv[2], nullptr, 10), kHeaderBytes + 8);
  const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
  const double per_second = argc > 4 ? std::strtod(argv[4], nullptr) : 0;
  const unsigned vlan = argc > 5 ? static_cast<unsigned>(std::strtoul(argv[5], nullptr, 10)) : 0;

  const int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  sockaddr_ll to{};
  to.sll_family = AF_PACKET;
  to.sll_ifindex = static_cast<int>(if_nametoindex(argv[1]));
  if (fd < 0 || to.sll_ifindex == 0 || bind(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) < 0) {
    std::perror("flood");
    return 1;
  }

  std::vector<std::uint8_t> frame = Frame(size);
  if (vlan != 0) Tag(frame, vlan);
  const std::size_t payload = frame.size() - size + kHeaderBytes;
  std::vector<std::vector<std::uint8_t>> frames(kBatch, frame);
  std::array<iovec, kBatch> parts;
  std::array<mmsghdr, kBatch> messages{};
  for (std::size_t i = 0; i < kBatch; ++i) {
    parts[i] = {frames[i].data(), frame.size()};
    messages[i].msg_hdr.msg_iov = &parts[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }

  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t sent = 0;
  while (sent < count) {
    if (per_second > 0) {
      std::this_thread::sleep_until(begin + std::chrono::duration<double>(static_cast<double>(sent) / per_second));
    }
    const auto batch = static_cast<unsigned>(std::min<std::uint64_t>(kBatch, count - sent));
    for (unsigned i = 0; i < batch; ++i) {
      const std::uint64_t number = sent + i;
      std::memcpy(&frames[i][payload], &number, sizeof number);
    }
    const int done = sendmmsg(fd, messages.data(), batch, 0);
    if (done < 0 && errno != ENOBUFS && errno != EAGAIN) {
      std::perror("flood");
      return 1;
    }
    if (done > 0) sent += static_cast<std::uint64_t>(done);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%llu %.0f\n", static_cast<unsigned long long>(sent), static_cast<double>(sent) / took.count());
}
