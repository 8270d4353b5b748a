#include "inspect/clocks.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string_view>

#include "core/descriptor.h"

namespace nodecore::inspect {

namespace {

// Who has given up is not kept waiting longer.
constexpr int kLookMillis = 50;
constexpr std::size_t kOriginOffset = 24;
constexpr std::size_t kTransmitOffset = 40;
constexpr std::size_t kStampBytes = 8;
constexpr std::size_t kPacketBytes = 48;

double MicrosOf(const timespec& time) { return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3; }

double NowMicros() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return MicrosOf(now);
}

bool Answers(std::string_view answer, std::string_view question) {
  return answer.size() >= kPacketBytes && answer.substr(kOriginOffset, kStampBytes) == question.substr(kTransmitOffset, kStampBytes);
}

}  // namespace

std::expected<Table, SysError> AskTime(const TimeQuestion& question, const std::atomic<bool>& cancelled) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(question.address.c_str(), question.port.c_str(), &hints, &found) != 0) return std::unexpected(SysError{"getaddrinfo", EINVAL});
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> address(found, freeaddrinfo);
  const Descriptor channel(socket(address->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (channel.get() < 0) return Failed("socket");
  // Connected, it hears of nobody else.
  if (connect(channel.get(), address->ai_addr, address->ai_addrlen) < 0) return Failed("connect");
  const double sent = NowMicros();
  if (send(channel.get(), question.packet.data(), question.packet.size(), 0) < 0) return Failed("send");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(question.patience_millis);
  while (true) {
    if (cancelled) return std::unexpected(SysError{"recv", ECANCELED});
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return std::unexpected(SysError{"recv", ETIMEDOUT});
    pollfd ready{channel.get(), POLLIN, 0};
    if (poll(&ready, 1, static_cast<int>(std::min<long>(left, kLookMillis))) <= 0) continue;
    std::array<char, 1024> buffer;
    const ssize_t size = recv(channel.get(), buffer.data(), buffer.size(), 0);
    const double received = NowMicros();
    if (size < 0) {
      if (errno == EAGAIN || errno == EINTR) continue;
      return Failed("recv");
    }
    const std::string_view answer(buffer.data(), static_cast<std::size_t>(size));
    if (!Answers(answer, question.packet)) continue;  // to another question, or made up
    Table table;
    table.Add(sent);
    table.Add(received);
    table.AddText(answer);
    return table;
  }
}

std::expected<Table, SysError> ReadHardwareClock(const std::string& path) {
  const Descriptor device(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  if (device.get() < 0) return Failed("open");
  struct stat kind{};
  if (fstat(device.get(), &kind) < 0) return Failed("fstat");
  if (!S_ISCHR(kind.st_mode)) return std::unexpected(SysError{"clock_gettime", ENODEV});
  // FD_TO_CLOCKID of clock_getres(2).
  const auto id = static_cast<clockid_t>((~static_cast<unsigned>(device.get()) << 3) | 3U);
  const double before = NowMicros();
  timespec time{};
  if (clock_gettime(id, &time) < 0) return std::unexpected(SysError{"clock_gettime", errno == EINVAL ? ENODEV : errno});
  const double after = NowMicros();
  Table table;
  table.Add(before);
  table.Add(after);
  table.Add(MicrosOf(time));
  return table;
}

}  // namespace nodecore::inspect
