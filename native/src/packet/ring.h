// One AF_PACKET socket and the TPACKET_V3 ring that the kernel maps into it (packet(7), packet_mmap.rst).
//
// Owns: the socket and the mapping, which go in the destructor, the mapping first. Promiscuous mode is a membership of
// the socket: the kernel ends it with the socket, also when the process is killed.
// Threads: none of its own. Blocks are walked by one thread at a time.
#pragma once

#include <linux/filter.h>
#include <linux/if_packet.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <utility>
#include <vector>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::packet {

struct RingOptions {
  // 0: every interface, which goes with `cooked`.
  int interface_index = 0;
  // Without the link layer's header, which interfaces of several kinds don't share: the kernel gives its address beside
  // the packet (packet(7), SOCK_DGRAM).
  bool cooked = false;
  bool promiscuous = false;
  // Runs before the ring; what it returns is the number of bytes to keep. Never empty.
  std::vector<sock_filter> filter;
  // A power of two of pages.
  std::uint32_t block_bytes = 1U << 19;
  std::uint32_t blocks = 128;
  // When the kernel hands over a block that is not full.
  std::uint32_t retire_ms = 10;
};

struct RingCounters {
  // What the filter let through, lost packets included.
  std::uint64_t packets = 0;
  // What found no room in the ring.
  std::uint64_t drops = 0;
  // How often the ring was full.
  std::uint64_t freezes = 0;
};

class Ring {
 public:
  static std::expected<Ring, SysError> Open(const RingOptions& options);

  Ring(Ring&& other) noexcept
      : descriptor_(std::move(other.descriptor_)),
        map_(std::exchange(other.map_, {})),
        block_bytes_(other.block_bytes_),
        next_(other.next_),
        counters_(other.counters_) {}
  Ring& operator=(Ring&&) = delete;
  ~Ring();

  // The oldest block that the kernel has handed over; null when there is none. The same one until it is released.
  tpacket_block_desc* Ready() noexcept;
  // After Silence(): what is left, also the block that the kernel still had open.
  tpacket_block_desc* Remaining() noexcept;
  // Gives that block back to the kernel: its bytes are no longer ours.
  void Release() noexcept;

  // No packet gets in any more. What is in the ring stays.
  std::expected<void, SysError> Silence() noexcept;

  // Since the ring was opened: the kernel forgets its own numbers when they are read.
  std::expected<RingCounters, SysError> Counters() noexcept;

  // Why the socket is readable without a block: ENETDOWN when the interface went down or away. 0: no reason.
  int Error() noexcept;

  // Bytes that wait in blocks of ours, as a share of the ring from 0 to 1.
  std::uint32_t blocks() const noexcept { return static_cast<std::uint32_t>(map_.size() / block_bytes_); }
  std::uint32_t block_bytes() const noexcept { return block_bytes_; }
  int fd() const noexcept { return descriptor_.get(); }

 private:
  Ring(Descriptor descriptor, std::span<std::byte> map, std::uint32_t block_bytes) noexcept
      : descriptor_(std::move(descriptor)), map_(map), block_bytes_(block_bytes) {}
  tpacket_block_desc* Block() noexcept;

  Descriptor descriptor_;
  std::span<std::byte> map_;
  std::uint32_t block_bytes_;
  std::uint32_t next_ = 0;
  RingCounters counters_;
};

}  // namespace nodecore::packet
