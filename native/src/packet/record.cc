#include "packet/record.h"

#include <linux/if_ether.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace nodecore::packet {

static_assert(std::endian::native == std::endian::little, "records are written as the processor keeps them");

namespace {

constexpr std::uint32_t kEnhancedPacketBlock = 6;

template <std::size_t N>
std::byte* Put(std::byte* out, const std::uint32_t (&words)[N]) noexcept {
  std::memcpy(out, words, sizeof words);
  return out + sizeof words;
}

// Copies at most `limit` bytes of `from`, and takes them off the limit.
std::byte* PutSome(std::byte* out, std::span<const std::byte> from, std::size_t& limit) noexcept {
  const std::size_t size = std::min(from.size(), limit);
  std::memcpy(out, from.data(), size);
  limit -= size;
  return out + size;
}

std::byte* PutBytes(std::byte* out, const Packet& packet, std::size_t limit) noexcept {
  out = PutSome(out, std::span(packet.header).first(packet.header_bytes), limit);
  if (!packet.has_vlan_tag) return PutSome(out, packet.bytes, limit);
  constexpr std::size_t kAddressesBytes = 2 * ETH_ALEN;
  out = PutSome(out, packet.bytes.first(kAddressesBytes), limit);
  out = PutSome(out, packet.vlan_tag, limit);
  return PutSome(out, packet.bytes.subspan(kAddressesBytes), limit);
}

constexpr std::size_t Padded(std::size_t size) noexcept { return (size + 3) & ~std::size_t{3}; }

}  // namespace

std::size_t RecordBytes(const Packet& packet, Format format, std::uint32_t snap_length) noexcept {
  const std::size_t captured = std::min(packet.captured_bytes(), snap_length);
  return format == Format::kPcap ? kPcapRecordBytes + captured : kPcapngRecordBytes + Padded(captured);
}

std::size_t SizeOfRecord(Format format, const std::byte* record) noexcept {
  std::uint32_t size;
  const bool is_pcap = format == Format::kPcap;
  std::memcpy(&size, record + (is_pcap ? 8 : 4), sizeof size);
  return is_pcap ? kPcapRecordBytes + size : size;
}

std::size_t WriteRecord(const Packet& packet, Format format, std::uint32_t snap_length, std::uint32_t interface,
                        std::byte* out) noexcept {
  std::byte* const start = out;
  const std::uint32_t captured = std::min(packet.captured_bytes(), snap_length);
  if (format == Format::kPcap) {
    out = Put(out, {packet.seconds, packet.nanoseconds, captured, packet.original_bytes});
    return static_cast<std::size_t>(PutBytes(out, packet, captured) - start);
  }
  const auto total = static_cast<std::uint32_t>(kPcapngRecordBytes + Padded(captured));
  const std::uint64_t time = std::uint64_t{packet.seconds} * 1'000'000'000 + packet.nanoseconds;
  out = Put(out, {kEnhancedPacketBlock, total, interface, static_cast<std::uint32_t>(time >> 32),
                  static_cast<std::uint32_t>(time), captured, packet.original_bytes});
  out = PutBytes(out, packet, captured);
  const std::size_t padding = Padded(captured) - captured;
  std::memset(out, 0, padding);
  out = Put(out + padding, {total});
  return static_cast<std::size_t>(out - start);
}

}  // namespace nodecore::packet
