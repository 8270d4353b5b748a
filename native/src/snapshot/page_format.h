// Pages of a bbolt database, as its page.go and db.go lay them out: in the byte order of the machine that wrote them,
// which for every etcd in use is little endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace nodecore::snapshot {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kElementBytes = 16;

constexpr std::uint16_t kBranchPage = 0x01;
constexpr std::uint16_t kLeafPage = 0x02;
constexpr std::uint16_t kFreelistPage = 0x10;

constexpr std::uint32_t kBucketElement = 0x01;
// A bucket's value begins with the number of its root page, or 0 and then the page itself, and a sequence.
constexpr std::size_t kBucketHeaderBytes = 16;

constexpr std::uint64_t kNoFreelist = ~std::uint64_t{0};

template <typename Number>
Number Load(const std::byte* at) noexcept {
  Number value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

struct PageHeader {
  std::uint64_t id;
  std::uint16_t flags;
  std::uint16_t count;
  std::uint32_t overflow;

  static PageHeader At(const std::byte* page) noexcept {
    return {Load<std::uint64_t>(page), Load<std::uint16_t>(page + 8), Load<std::uint16_t>(page + 10),
            Load<std::uint32_t>(page + 12)};
  }
  bool HoldsElements() const noexcept { return flags == kBranchPage || flags == kLeafPage; }
};

struct Meta {
  std::uint32_t page_size;
  std::uint64_t root;
  std::uint64_t freelist;
  // Pages of the database, used and free ones.
  std::uint64_t pages;
  std::uint64_t transaction;
};

constexpr std::size_t kMetaBytes = 64;
constexpr std::uint32_t kLeastPageSize = 1024;
// bbolt takes the page size of the machine; none has larger ones.
constexpr std::uint32_t kMostPageSize = 1U << 16;

// Undefined when the page holds no valid meta information. `page` has at least a header and kMetaBytes.
inline std::optional<Meta> ReadMeta(const std::byte* page) noexcept {
  constexpr std::uint32_t kMagic = 0xed0cdaed;
  constexpr std::uint32_t kVersion = 2;
  constexpr std::size_t kSummed = 56;
  const std::byte* const at = page + kHeaderBytes;
  if (Load<std::uint32_t>(at) != kMagic || Load<std::uint32_t>(at + 4) != kVersion) return std::nullopt;
  // FNV-1a, 64 bits.
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < kSummed; ++i) sum = (sum ^ std::to_integer<std::uint64_t>(at[i])) * 0x100000001b3;
  if (Load<std::uint64_t>(at + kSummed) != sum) return std::nullopt;
  return Meta{Load<std::uint32_t>(at + 8), Load<std::uint64_t>(at + 16), Load<std::uint64_t>(at + 32),
              Load<std::uint64_t>(at + 40), Load<std::uint64_t>(at + 48)};
}

// Whether any machine has such pages. bbolt believes every meta page whose checksum is right.
constexpr bool IsPageSize(std::uint64_t size) noexcept {
  return size >= kLeastPageSize && size <= kMostPageSize && (size & (size - 1)) == 0;
}

}  // namespace nodecore::snapshot
