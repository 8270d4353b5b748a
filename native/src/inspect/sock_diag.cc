#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <unordered_set>

#include "core/descriptor.h"
#include "inspect/sockets.h"

namespace nodecore::inspect {

namespace {

constexpr unsigned kListen = 10;
constexpr unsigned kAllStates = 0xffffffff;
// The kernel fills 32 KiB at most at once.
constexpr std::size_t kRoom = 64 * 1024;
// A dump is made as it is read; without this a defect would keep the thread for good.
constexpr time_t kPatienceSeconds = 10;

constexpr std::array<std::uint8_t, kProtocols / 2> kNumbers = {IPPROTO_TCP, IPPROTO_UDP, IPPROTO_UDPLITE, IPPROTO_RAW};

bool IsMissing(int number) noexcept {
  return number == ENOENT || number == EINVAL || number == EPROTONOSUPPORT || number == EOPNOTSUPP || number == EAFNOSUPPORT;
}

unsigned StatesOf(int protocol, SocketFilter filter) noexcept {
  // Only those of TCP tell by their state whether they listen.
  if (protocol > 1 || filter == SocketFilter::kAll) return kAllStates;
  return filter == SocketFilter::kListening ? 1u << kListen : ~(1u << kListen);
}

SocketEnd EndOf(int family, const __be32* address, __be16 port) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(family, address, text.data(), text.size());
  const int words = family == AF_INET ? 1 : 4;
  bool unspecified = true;
  for (int word = 0; word < words; ++word) unspecified = unspecified && address[word] == 0;
  return {text.data(), ntohs(port), unspecified};
}

class InterfaceNames {
 public:
  const std::string& Of(unsigned index) {
    auto& name = names_[index];
    std::array<char, IF_NAMESIZE> text{};
    // One that has gone is told by its number.
    if (name.empty() && index != 0) name = if_indextoname(index, text.data()) != nullptr ? std::string(text.data()) : std::to_string(index);
    return name;
  }

 private:
  std::map<unsigned, std::string> names_;
};

SocketFacts FactsOf(const inet_diag_msg& message, int protocol, InterfaceNames& names) {
  const auto& id = message.id;
  return {
      .protocol = protocol,
      .local = EndOf(message.idiag_family, id.idiag_src, id.idiag_sport),
      .remote = EndOf(message.idiag_family, id.idiag_dst, id.idiag_dport),
      .state = message.idiag_state,
      .receive_queue = message.idiag_rqueue,
      .send_queue = message.idiag_wqueue,
      .timer = message.idiag_timer,
      .timer_millis = message.idiag_timer == 0 ? 0 : message.idiag_expires,
      .retransmits = message.idiag_retrans,
      .uid = message.idiag_uid,
      .inode = message.idiag_inode,
      .interface = names.Of(id.idiag_if),
  };
}

}  // namespace

std::expected<bool, SysError> DumpSockets(int protocol, SocketFilter filter, std::vector<SocketFacts>& found) {
  const Descriptor netlink(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (netlink.get() < 0) {
    if (IsMissing(errno)) return false;
    return Failed("socket");
  }
  const timeval patience{.tv_sec = kPatienceSeconds, .tv_usec = 0};
  if (setsockopt(netlink.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0) return Failed("setsockopt");

  struct {
    nlmsghdr header;
    inet_diag_req_v2 request;
  } question{};
  question.header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP, .nlmsg_seq = 1, .nlmsg_pid = 0};
  question.request.sdiag_family = protocol % 2 == 0 ? AF_INET : AF_INET6;
  question.request.sdiag_protocol = kNumbers[static_cast<std::size_t>(protocol / 2)];
  question.request.idiag_states = StatesOf(protocol, filter);
  if (send(netlink.get(), &question, sizeof question, 0) < 0) return Failed("send");

  // A connection that changes its state while the tables are walked is met twice.
  std::unordered_set<std::uint64_t> met;
  InterfaceNames names;
  alignas(nlmsghdr) std::array<char, kRoom> buffer;
  while (true) {
    sockaddr_nl sender{};
    iovec part{buffer.data(), buffer.size()};
    msghdr envelope{};
    envelope.msg_name = &sender;
    envelope.msg_namelen = sizeof sender;
    envelope.msg_iov = &part;
    envelope.msg_iovlen = 1;
    const ssize_t size = recvmsg(netlink.get(), &envelope, 0);
    if (size < 0) {
      if (errno == EINTR) continue;
      return Failed("recvmsg");
    }
    if (sender.nl_pid != 0) continue;  // no other process may answer for the kernel
    if ((envelope.msg_flags & MSG_TRUNC) != 0) return std::unexpected(SysError{"recvmsg", EMSGSIZE});
    auto left = static_cast<unsigned>(size);
    for (const auto* header = reinterpret_cast<const nlmsghdr*>(buffer.data()); NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
      if (header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR) {
        int number = 0;
        if (header->nlmsg_len >= NLMSG_LENGTH(sizeof number)) std::memcpy(&number, NLMSG_DATA(header), sizeof number);
        if (number == 0) return true;
        if (IsMissing(-number)) return false;
        return std::unexpected(SysError{"recvmsg", -number});
      }
      if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY || header->nlmsg_len < NLMSG_LENGTH(sizeof(inet_diag_msg))) continue;
      inet_diag_msg message;
      std::memcpy(&message, NLMSG_DATA(header), sizeof message);
      const std::uint64_t cookie = static_cast<std::uint64_t>(message.id.idiag_cookie[1]) << 32 | message.id.idiag_cookie[0];
      if (!met.insert(cookie).second) continue;
      SocketFacts facts = FactsOf(message, protocol, names);
      if (facts.Passes(filter)) found.push_back(std::move(facts));
    }
  }
}

}  // namespace nodecore::inspect
