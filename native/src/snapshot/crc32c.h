// CRC-32C (Castagnoli) of pieces, and of their concatenation without looking at the bytes again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nodecore::snapshot {

// The checksum of what `crc` is the checksum of, followed by `bytes`. Begin with 0.
std::uint32_t Crc32c(std::uint32_t crc, std::span<const std::byte> bytes) noexcept;

// The checksum of A followed by B, from the checksums of both and the length of B.
std::uint32_t CombineCrc32c(std::uint32_t a, std::uint32_t b, std::uint64_t length_of_b) noexcept;

// What processors without an instruction for it do; the others are compared with it.
std::uint32_t PortableCrc32c(std::uint32_t crc, std::span<const std::byte> bytes) noexcept;

}  // namespace nodecore::snapshot
