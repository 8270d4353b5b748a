#include "snapshot/packed_key.h"

#include <bit>
#include <cstddef>

namespace nodecore::snapshot {

namespace {

constexpr std::size_t kPutBytes = 17;
constexpr std::size_t kDeletionBytes = 18;
constexpr std::size_t kSeparatorAt = 8;

enum class Shape : unsigned char { kPut, kDeletion, kOther };

std::uint64_t LoadBig(const char* at) noexcept {
  return __builtin_bswap64(Load<std::uint64_t>(reinterpret_cast<const std::byte*>(at)));
}

void StoreBig(char* at, std::uint64_t number) noexcept {
  const std::uint64_t big = __builtin_bswap64(number);
  std::memcpy(at, &big, sizeof big);
}

}  // namespace

bool IsRevision(std::string_view key) noexcept {
  if (key.size() != kPutBytes && key.size() != kDeletionBytes) return false;
  return key[kSeparatorAt] == '_' && (key.size() == kPutBytes || key[kPutBytes] == 't');
}

std::uint64_t MainRevision(std::string_view key) noexcept { return LoadBig(key.data()); }

void PackNumber(std::vector<std::byte>& to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) to.push_back(static_cast<std::byte>(number | 0x80));
  to.push_back(static_cast<std::byte>(number));
}

std::uint64_t UnpackNumber(const std::byte*& at) noexcept {
  std::uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    const auto digit = std::to_integer<std::uint64_t>(*at++);
    number |= (digit & 0x7f) << shift;
    if ((digit & 0x80) == 0) return number;
  }
}

void PackText(std::vector<std::byte>& to, std::string_view text) {
  PackNumber(to, text.size());
  const Bytes bytes = std::as_bytes(std::span(text));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

std::string_view UnpackText(const std::byte*& at) noexcept {
  const std::uint64_t size = UnpackNumber(at);
  const auto text = AsText({at, static_cast<std::size_t>(size)});
  at += size;
  return text;
}

void PackKey(std::vector<std::byte>& to, std::string_view key) {
  if (!IsRevision(key)) {
    to.push_back(static_cast<std::byte>(Shape::kOther));
    PackText(to, key);
    return;
  }
  to.push_back(static_cast<std::byte>(key.size() == kPutBytes ? Shape::kPut : Shape::kDeletion));
  PackNumber(to, LoadBig(key.data()));
  PackNumber(to, LoadBig(key.data() + kSeparatorAt + 1));
}

void UnpackKey(const std::byte*& at, std::string& key) {
  const auto shape = static_cast<Shape>(*at++);
  if (shape == Shape::kOther) {
    key.assign(UnpackText(at));
    return;
  }
  key.assign(shape == Shape::kPut ? kPutBytes : kDeletionBytes, 't');
  StoreBig(key.data(), UnpackNumber(at));
  key[kSeparatorAt] = '_';
  StoreBig(key.data() + kSeparatorAt + 1, UnpackNumber(at));
}

}  // namespace nodecore::snapshot
