#include "packet/packet.h"

#include <linux/if_ether.h>

#include <atomic>
#include <cstring>

namespace nodecore::packet {

namespace {

// Where an Ethernet frame's type or tag is.
constexpr std::size_t kAddressesBytes = 2 * ETH_ALEN;

void PutBig(std::byte* at, std::uint32_t value, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; ++i) at[i] = static_cast<std::byte>(value >> (8 * (bytes - 1 - i)));
}

// LINKTYPE_LINUX_SLL2 (276): protocol, reserved, interface, ARPHRD, packet type, address length, address.
void PutSll2(std::byte* header, const sockaddr_ll& from) noexcept {
  std::memcpy(header, &from.sll_protocol, 2);
  PutBig(header + 2, 0, 2);
  PutBig(header + 4, static_cast<std::uint32_t>(from.sll_ifindex), 4);
  PutBig(header + 8, from.sll_hatype, 2);
  PutBig(header + 10, from.sll_pkttype, 1);
  PutBig(header + 11, from.sll_halen, 1);
  std::memcpy(header + 12, from.sll_addr, 8);
}

}  // namespace

Walk::Walk(tpacket_block_desc* block, bool cooked, bool open) noexcept
    : next_(reinterpret_cast<tpacket3_hdr*>(reinterpret_cast<std::byte*>(block) + block->hdr.bh1.offset_to_first_pkt)),
      left_(block->hdr.bh1.num_pkts),
      cooked_(cooked),
      open_(open) {}

// The kernel reserves the place, copies the bytes, and then says so.
void Walk::Await(tpacket3_hdr* header) noexcept {
  while ((std::atomic_ref(header->tp_status).load(std::memory_order_acquire) & TP_STATUS_USER) == 0) {
  }
}

void Walk::AddSll2(Packet& packet, const tpacket3_hdr* header) noexcept {
  const auto* const start = reinterpret_cast<const std::byte*>(header);
  packet.header_bytes = kSll2Bytes;
  packet.original_bytes += kSll2Bytes;
  PutSll2(packet.header.data(), *reinterpret_cast<const sockaddr_ll*>(start + TPACKET_ALIGN(sizeof *header)));
}

void Walk::AddTag(Packet& packet, const tpacket3_hdr* header) noexcept {
  if (packet.bytes.size() < kAddressesBytes) return;
  const bool told = (header->tp_status & TP_STATUS_VLAN_TPID_VALID) != 0;
  PutBig(packet.vlan_tag.data(), told ? header->hv1.tp_vlan_tpid : ETH_P_8021Q, 2);
  PutBig(packet.vlan_tag.data() + 2, header->hv1.tp_vlan_tci, 2);
  packet.has_vlan_tag = true;
  packet.original_bytes += kVlanTagBytes;
}

}  // namespace nodecore::packet
