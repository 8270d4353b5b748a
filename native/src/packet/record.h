// Packets as records of a capture file: pcap (16 bytes before each packet) and pcapng's Enhanced Packet Block. Little-
// endian, nanoseconds. Inline, as a packet has some ten nanoseconds.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "packet/packet.h"

namespace nodecore::packet {

static_assert(std::endian::native == std::endian::little, "records are written as the processor keeps them");

enum class Format : std::uint8_t { kPcap, kPcapng };

inline constexpr std::size_t kPcapRecordBytes = 16;
// Block type, length, interface, two of time, two of size; the length again at the end.
inline constexpr std::size_t kPcapngRecordBytes = 28 + 4;

constexpr std::size_t Padded(std::size_t size) noexcept { return (size + 3) & ~std::size_t{3}; }

// What a record takes at most.
constexpr std::size_t LargestRecordBytes(Format format, std::uint32_t snap_length) noexcept {
  return format == Format::kPcap ? kPcapRecordBytes + snap_length : kPcapngRecordBytes + Padded(snap_length);
}

// What a record of this packet takes, all included. Cut to `snap_length`, as readers demand of a file whose header
// promises it: the kernel cut before the tag and the header were added.
inline std::size_t RecordBytes(const Packet& packet, Format format, std::uint32_t snap_length) noexcept {
  const std::size_t captured = std::min(packet.captured_bytes(), snap_length);
  return format == Format::kPcap ? kPcapRecordBytes + captured : kPcapngRecordBytes + Padded(captured);
}

// The size of a record that was written before.
std::size_t SizeOfRecord(Format format, const std::byte* record) noexcept;

// Header, tag and bytes, `size` of them at most.
std::byte* PutParts(std::byte* out, const Packet& packet, std::size_t size) noexcept;

inline std::byte* PutBytes(std::byte* out, const Packet& packet, std::size_t size) noexcept {
  if (packet.header_bytes != 0 || packet.has_vlan_tag) return PutParts(out, packet, size);
  std::memcpy(out, packet.bytes.data(), size);
  return out + size;
}

template <std::size_t N>
std::byte* PutWords(std::byte* out, const std::uint32_t (&words)[N]) noexcept {
  std::memcpy(out, words, sizeof words);
  return out + sizeof words;
}

// Writes a record to `out`, which has room for RecordBytes.
inline std::size_t WriteRecord(const Packet& packet, Format format, std::uint32_t snap_length,
                               std::uint32_t interface, std::byte* out) noexcept {
  constexpr std::uint32_t kEnhancedPacketBlock = 6;
  std::byte* const start = out;
  const std::uint32_t captured = std::min(packet.captured_bytes(), snap_length);
  if (format == Format::kPcap) {
    out = PutWords(out, {packet.seconds, packet.nanoseconds, captured, packet.original_bytes});
    return static_cast<std::size_t>(PutBytes(out, packet, captured) - start);
  }
  const auto total = static_cast<std::uint32_t>(kPcapngRecordBytes + Padded(captured));
  const std::uint64_t time = std::uint64_t{packet.seconds} * 1'000'000'000 + packet.nanoseconds;
  out = PutWords(out, {kEnhancedPacketBlock, total, interface, static_cast<std::uint32_t>(time >> 32),
                       static_cast<std::uint32_t>(time), captured, packet.original_bytes});
  out = PutBytes(out, packet, captured);
  const std::size_t padding = Padded(captured) - captured;
  std::memset(out, 0, padding);
  out = PutWords(out + padding, {total});
  return static_cast<std::size_t>(out - start);
}

}  // namespace nodecore::packet
