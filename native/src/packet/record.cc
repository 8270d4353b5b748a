#include "packet/record.h"

#include <linux/if_ether.h>

namespace nodecore::packet {

namespace {

// Copies at most `limit` bytes of `from`, and takes them off the limit.
std::byte* PutSome(std::byte* out, std::span<const std::byte> from, std::size_t& limit) noexcept {
  const std::size_t size = std::min(from.size(), limit);
  std::memcpy(out, from.data(), size);
  limit -= size;
  return out + size;
}

}  // namespace

std::byte* PutParts(std::byte* out, const Packet& packet, std::size_t limit) noexcept {
  out = PutSome(out, std::span(packet.header).first(packet.header_bytes), limit);
  if (!packet.has_vlan_tag) return PutSome(out, packet.bytes, limit);
  constexpr std::size_t kAddressesBytes = 2 * ETH_ALEN;
  out = PutSome(out, packet.bytes.first(kAddressesBytes), limit);
  out = PutSome(out, packet.vlan_tag, limit);
  return PutSome(out, packet.bytes.subspan(kAddressesBytes), limit);
}

std::size_t SizeOfRecord(Format format, const std::byte* record) noexcept {
  std::uint32_t size;
  const bool is_pcap = format == Format::kPcap;
  std::memcpy(&size, record + (is_pcap ? 8 : 4), sizeof size);
  return is_pcap ? kPcapRecordBytes + size : size;
}

}  // namespace nodecore::packet
