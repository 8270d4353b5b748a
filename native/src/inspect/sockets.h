// Sockets of the network namespace of the calling thread.
//
// Threads: any; it blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "core/sys_error.h"
#include "inspect/table.h"

namespace nodecore::inspect {

// In this order: tcp, tcp6, udp, udp6, udplite, udplite6, raw, raw6.
inline constexpr int kProtocols = 8;

enum class SocketFilter : std::uint8_t { kAll, kConnected, kListening };

struct SocketQuestion {
  // A bit for each protocol.
  unsigned protocols = 0;
  SocketFilter filter = SocketFilter::kAll;
  // Say which processes have each socket open.
  bool processes = false;
  std::string proc;
};

struct SocketEnd {
  std::string address;
  unsigned port = 0;
  bool unspecified = false;
};

struct SocketFacts {
  int protocol = 0;
  SocketEnd local;
  SocketEnd remote;
  unsigned state = 0;
  std::uint32_t receive_queue = 0;
  std::uint32_t send_queue = 0;
  unsigned timer = 0;
  std::uint32_t timer_millis = 0;
  unsigned retransmits = 0;
  std::uint32_t uid = 0;
  std::uint64_t inode = 0;
  std::string interface;

  bool Passes(SocketFilter filter) const noexcept {
    if (filter == SocketFilter::kAll) return true;
    const bool listens = remote.unspecified && remote.port == 0;
    return listens == (filter == SocketFilter::kListening);
  }
};

// Numbers of a row: protocol, local and remote port, state, queues, timer, its milliseconds, retransmits, uid, inode. Texts: local and
// remote address, interface, and the number and the name of each process with a NUL behind both.
inline constexpr int kSocketNumbers = 11;
inline constexpr int kSocketTexts = 4;

// ECANCELED when the flag is set.
std::expected<Table, SysError> ReadSockets(const SocketQuestion& question, const std::atomic<bool>& cancelled);

// By netlink (sock_diag(7)). False where this kernel has no such interface for the protocol.
std::expected<bool, SysError> DumpSockets(int protocol, SocketFilter filter, std::vector<SocketFacts>& found);

// From the text of /proc/net (proc_pid_net(5)). Nothing where this kernel does not know the protocol.
std::expected<void, SysError> ParseSockets(const std::string& proc, int protocol, SocketFilter filter, std::vector<SocketFacts>& found);

}  // namespace nodecore::inspect
