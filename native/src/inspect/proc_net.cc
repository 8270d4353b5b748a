#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>

#include "core/descriptor.h"
#include "inspect/proc_file.h"
#include "inspect/sockets.h"

namespace nodecore::inspect {

namespace {

constexpr std::array<const char*, kProtocols> kFiles = {"tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6"};
// Programs see hundredths of a second, whatever the kernel's own clock does (time(7), USER_HZ).
constexpr std::uint32_t kMillisPerTick = 10;

// Words of an address in the byte order of the machine.
SocketEnd EndOf(std::string_view hex, unsigned port) {
  std::array<std::uint32_t, 4> words{};
  const std::size_t count = hex.size() / 8;
  bool unspecified = true;
  for (std::size_t index = 0; index < count && index < words.size(); ++index) {
    std::from_chars(hex.data() + index * 8, hex.data() + index * 8 + 8, words[index], 16);
    unspecified = unspecified && words[index] == 0;
  }
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(count == 1 ? AF_INET : AF_INET6, words.data(), text.data(), text.size());
  return {text.data(), port, unspecified};
}

bool ParseLine(const char* line, SocketFacts& facts) {
  std::array<char, 33> local{};
  std::array<char, 33> remote{};
  unsigned local_port = 0;
  unsigned remote_port = 0;
  unsigned long when = 0;
  unsigned long inode = 0;
  const int read = std::sscanf(line, " %*u: %32[0-9A-Fa-f]:%X %32[0-9A-Fa-f]:%X %X %X:%X %X:%lX %X %u %*u %lu", local.data(), &local_port, remote.data(),
                               &remote_port, &facts.state, &facts.send_queue, &facts.receive_queue, &facts.timer, &when, &facts.retransmits, &facts.uid, &inode);
  if (read != 12) return false;
  facts.local = EndOf(local.data(), local_port);
  facts.remote = EndOf(remote.data(), remote_port);
  facts.timer_millis = facts.timer == 0 ? 0 : static_cast<std::uint32_t>(when) * kMillisPerTick;
  facts.inode = inode;
  return true;
}

}  // namespace

std::expected<void, SysError> ParseSockets(const std::string& proc, int protocol, SocketFilter filter, std::vector<SocketFacts>& found) {
  // The thread's own: its namespace may be another one than that of the process.
  const Descriptor directory(open((proc + "/thread-self/net").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) return Failed("open");
  const auto text = ReadProcFile(directory.get(), kFiles[static_cast<std::size_t>(protocol)], std::numeric_limits<std::size_t>::max());
  if (!text) {
    if (text.error() == ENOENT) return {};
    return std::unexpected(SysError{"read", text.error()});
  }
  std::size_t at = text->find('\n');
  while (at != std::string::npos && at + 1 < text->size()) {
    SocketFacts facts;
    facts.protocol = protocol;
    if (ParseLine(text->c_str() + at + 1, facts) && facts.Passes(filter)) found.push_back(std::move(facts));
    at = text->find('\n', at + 1);
  }
  return {};
}

}  // namespace nodecore::inspect
