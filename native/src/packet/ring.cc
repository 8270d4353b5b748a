#include "packet/ring.h"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <atomic>

namespace nodecore::packet {

namespace {

template <typename T>
bool Set(int fd, int option, const T& value) noexcept {
  return setsockopt(fd, SOL_PACKET, option, &value, sizeof value) == 0;
}

bool Attach(int fd, std::span<const sock_filter> filter) noexcept {
  const sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
}

// The kernel writes it from another processor: what it published before is ours to read after.
std::uint32_t Status(tpacket_block_desc* block) noexcept {
  return std::atomic_ref(block->hdr.bh1.block_status).load(std::memory_order_acquire);
}

}  // namespace

std::expected<Ring, SysError> Ring::Open(const RingOptions& options) {
  // packet(7): with protocol 0 the socket stays deaf until it is bound, so no packet gets in before the filter is there.
  Descriptor descriptor(socket(AF_PACKET, (options.cooked ? SOCK_DGRAM : SOCK_RAW) | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int fd = descriptor.get();
  if (fd < 0) return Failed("socket");
  if (!Attach(fd, options.filter)) return Failed("SO_ATTACH_FILTER");
  if (!Set<int>(fd, PACKET_VERSION, TPACKET_V3)) return Failed("PACKET_VERSION");

  tpacket_req3 request{};
  request.tp_block_size = options.block_bytes;
  request.tp_block_nr = options.blocks;
  // Version 3 packs packets of any size: the frame size only has to divide the block.
  request.tp_frame_size = TPACKET_ALIGNMENT << 7;
  request.tp_frame_nr = options.block_bytes / request.tp_frame_size * options.blocks;
  request.tp_retire_blk_tov = options.retire_ms;
  if (!Set(fd, PACKET_RX_RING, request)) return Failed("PACKET_RX_RING");
  const std::size_t size = std::size_t{options.block_bytes} * options.blocks;
  void* map = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) return Failed("mmap");
  Ring ring(std::move(descriptor), {static_cast<std::byte*>(map), size}, options.block_bytes);

  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = options.interface_index;
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0) return Failed("bind");
  if (options.promiscuous && options.interface_index != 0) {
    packet_mreq membership{};
    membership.mr_ifindex = options.interface_index;
    membership.mr_type = PACKET_MR_PROMISC;
    if (!Set(fd, PACKET_ADD_MEMBERSHIP, membership)) return Failed("PACKET_ADD_MEMBERSHIP");
  }
  return ring;
}

Ring::~Ring() {
  if (!map_.empty()) munmap(map_.data(), map_.size());
}

tpacket_block_desc* Ring::Block() noexcept {
  return reinterpret_cast<tpacket_block_desc*>(map_.data() + std::size_t{next_} * block_bytes_);
}

tpacket_block_desc* Ring::Ready() noexcept {
  tpacket_block_desc* const block = Block();
  return (Status(block) & TP_STATUS_USER) != 0 ? block : nullptr;
}

tpacket_block_desc* Ring::Remaining() noexcept {
  tpacket_block_desc* const block = Block();
  if ((Status(block) & TP_STATUS_USER) != 0) return block;
  // The kernel counts packets into the open block as it writes them; a block that was given back keeps its old count,
  // which Release() sets to zero.
  return std::atomic_ref(block->hdr.bh1.num_pkts).load(std::memory_order_acquire) > 0 ? block : nullptr;
}

void Ring::Release() noexcept {
  tpacket_block_desc* const block = Block();
  block->hdr.bh1.num_pkts = 0;
  std::atomic_ref(block->hdr.bh1.block_status).store(TP_STATUS_KERNEL, std::memory_order_release);
  next_ = next_ + 1 == blocks() ? 0 : next_ + 1;
}

std::expected<void, SysError> Ring::Silence() noexcept {
  // A filter that refuses everything takes effect at once; closing the socket or binding it elsewhere waits for all
  // processors.
  constexpr sock_filter kNothing[] = {BPF_STMT(BPF_RET | BPF_K, 0)};
  if (!Attach(fd(), kNothing)) return Failed("SO_ATTACH_FILTER");
  return {};
}

std::expected<RingCounters, SysError> Ring::Counters() noexcept {
  tpacket_stats_v3 statistics{};
  socklen_t size = sizeof statistics;
  if (getsockopt(fd(), SOL_PACKET, PACKET_STATISTICS, &statistics, &size) < 0) return Failed("PACKET_STATISTICS");
  counters_.packets += statistics.tp_packets;
  counters_.drops += statistics.tp_drops;
  counters_.freezes += statistics.tp_freeze_q_cnt;
  return counters_;
}

int Ring::Error() noexcept {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

}  // namespace nodecore::packet
