// Packets as records of a capture file: pcap (16 bytes before each packet) and pcapng's Enhanced Packet Block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "packet/packet.h"

namespace nodecore::packet {

enum class Format : std::uint8_t { kPcap, kPcapng };

inline constexpr std::size_t kPcapRecordBytes = 16;
// Block type, length, interface, two of time, two of size; the length again at the end.
inline constexpr std::size_t kPcapngRecordBytes = 28 + 4;

// What a record of this packet takes, all included.
std::size_t RecordBytes(const Packet& packet, Format format, std::uint32_t snap_length) noexcept;

// The size of a record that was written before.
std::size_t SizeOfRecord(Format format, const std::byte* record) noexcept;

// Writes a record to `out`, which has room for RecordBytes. Little-endian, nanoseconds. Cut to `snap_length`, as readers
// demand of a file whose header promises it: the kernel cut before the tag and the header were added.
std::size_t WriteRecord(const Packet& packet, Format format, std::uint32_t snap_length, std::uint32_t interface,
                        std::byte* out) noexcept;

}  // namespace nodecore::packet
