// One packet in a block of the ring, as it was on the wire: the VLAN tag, which the kernel takes out of the frame, is
// told beside the bytes.
//
// Owns: nothing; it lives as long as its block is ours.
#pragma once

#include <linux/if_packet.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace nodecore::packet {

inline constexpr std::size_t kVlanTagBytes = 4;
inline constexpr std::size_t kSll2Bytes = 20;
// The most that is put before or into the kernel's bytes.
inline constexpr std::size_t kAddedBytes = kSll2Bytes + kVlanTagBytes;

struct Packet {
  // What the kernel kept, without `header`.
  std::span<const std::byte> bytes;
  // Comes before `bytes`: the LINKTYPE_LINUX_SLL2 header of a cooked ring.
  std::array<std::byte, kSll2Bytes> header;
  std::size_t header_bytes = 0;
  // In network order, to be put back after the two addresses of an Ethernet frame.
  std::array<std::byte, kVlanTagBytes> vlan_tag;
  bool has_vlan_tag = false;
  std::uint32_t seconds = 0;
  std::uint32_t nanoseconds = 0;
  // On the wire, the tag and `header` included.
  std::uint32_t original_bytes = 0;

  std::uint32_t captured_bytes() const noexcept {
    return static_cast<std::uint32_t>(header_bytes + bytes.size() + (has_vlan_tag ? kVlanTagBytes : 0));
  }
};

// Walks one block's packets. The block stays where it is until the walk is done.
class Walk {
 public:
  // An open block is one that the kernel was writing when the ring fell silent: its last packets may still be on their
  // way, for as long as a copy takes.
  Walk(tpacket_block_desc* block, bool cooked, bool open) noexcept;

  // False at the end.
  bool Next(Packet& packet) noexcept;
  std::uint32_t left() const noexcept { return left_; }

 private:
  tpacket3_hdr* next_;
  std::uint32_t left_;
  bool cooked_;
  bool open_;
};

}  // namespace nodecore::packet
