// One packet in a block of the ring, as it was on the wire: the VLAN tag, which the kernel takes out of the frame, is
// kept beside the bytes.
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
inline constexpr std::size_t kAheadBytes = 768;
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

  // False at the end. Inline, as a packet has some ten nanoseconds.
  bool Next(Packet& packet) noexcept {
    if (left_ == 0) return false;
    tpacket3_hdr* const header = next_;
    if (open_) Await(header);
    const auto* const start = reinterpret_cast<const std::byte*>(header);
    // Records lie one behind the other: the kernel wrote them with another processor, so they are in none of our caches.
    __builtin_prefetch(start + kAheadBytes);
    __builtin_prefetch(start + kAheadBytes + 64);
    packet.bytes = {start + header->tp_mac, header->tp_snaplen};
    packet.seconds = header->tp_sec;
    packet.nanoseconds = header->tp_nsec;
    packet.original_bytes = header->tp_len;
    packet.header_bytes = 0;
    packet.has_vlan_tag = false;
    if (cooked_) {
      AddSll2(packet, header);
    } else if ((header->tp_status & TP_STATUS_VLAN_VALID) != 0) {
      AddTag(packet, header);
    }
    next_ = reinterpret_cast<tpacket3_hdr*>(reinterpret_cast<std::byte*>(header) + header->tp_next_offset);
    left_ -= 1;
    return true;
  }
  std::uint32_t left() const noexcept { return left_; }
  // The most that the next packet can be, while there is one.
  std::size_t next_bytes() const noexcept { return next_->tp_snaplen + kAddedBytes; }

 private:
  static void Await(tpacket3_hdr* header) noexcept;
  static void AddSll2(Packet& packet, const tpacket3_hdr* header) noexcept;
  static void AddTag(Packet& packet, const tpacket3_hdr* header) noexcept;

  tpacket3_hdr* next_;
  std::uint32_t left_;
  bool cooked_;
  bool open_;
};

}  // namespace nodecore::packet
