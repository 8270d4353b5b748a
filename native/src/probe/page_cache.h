// Chosen pages of an open device: reading them ahead, digesting them, and counting what is cached.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <utility>
#include <vector>

#include "core/sys_error.h"

namespace nodecore::probe {

// Bytes of the device; both ends at page boundaries or at the end of the device.
struct Window {
  std::uint64_t offset;
  std::uint64_t size;
};

// A keyed 128-bit hash of the device's size and the windows' bytes. The key is random per process: no disk can be
// written to collide.
using Digest = std::array<std::uint64_t, 2>;

// Pages of the device in the page cache; unknown before Linux 6.5 and while pages are being evicted.
using CachedPages = std::optional<std::uint64_t>;

// Keeps the kernel from reading more than it is asked for.
void ReadOnlyWhatIsAsked(int fd) noexcept;

// Asks for the windows, all at once, and does not wait: the disk takes them in the order that suits it.
void AskFor(int fd, const std::vector<Window>& windows) noexcept;

// Brings the windows into the page cache, all at once, and waits until they are there.
std::expected<void, SysError> ReadAhead(int fd, const std::vector<Window>& windows);

// `fd` may be open for direct I/O.
std::expected<Digest, SysError> DigestWindows(int fd, std::uint64_t size_bytes, const std::vector<Window>& windows);

// What of the windows is not zero. A window counts once.
struct Written {
  // Where the first byte of a window stands that is not zero; of the first windows only, kMostPlaces.
  std::vector<std::uint64_t> places;
  // The first window that can't be read, and why. Nothing behind it was looked at.
  std::optional<std::pair<std::uint64_t, int>> unreadable;

  static constexpr std::size_t kMostPlaces = 64;
};

// Stops when it has found enough.
Written FindWritten(int fd, const std::vector<Window>& windows);

std::uint64_t PagesIn(const std::vector<Window>& windows) noexcept;

CachedPages CountCached(int fd) noexcept;

}  // namespace nodecore::probe
