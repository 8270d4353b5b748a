// Opening a device and reading chosen pages of it ahead, so that whoever probes it through the same descriptor finds
// them in the page cache; and closing it again, saying whether anything else was read meanwhile.
//
// Every function here may block for as long as the device likes.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::pages {

// Bytes of the device; both ends at page boundaries or at the end of the device.
struct Window {
  std::uint64_t offset;
  std::uint64_t size;
};

// A keyed 128-bit hash of the windows' bytes. The key is random per process: no disk can be written to collide.
using Digest = std::array<std::uint64_t, 2>;

// Pages of the device in the page cache; unknown before Linux 6.5 and while pages are being evicted.
using CachedPages = std::optional<std::uint64_t>;

struct OpenTask {
  std::string path;
  std::vector<Window> windows;
  // Whether the windows' bytes are to be digested, or only to be brought into the page cache.
  bool digest = true;
  // When the windows still hold these bytes, the device is closed at once, and nothing of it is left in the cache.
  std::optional<Digest> known;
};

struct Opened {
  Descriptor descriptor;  // empty when the bytes are the known ones
  std::uint64_t size_bytes;
  std::uint64_t window_pages;
  Digest digest;  // zeros when none was asked for
  CachedPages cached;
};

std::expected<Opened, SysError> Run(const OpenTask& task);

// Counts what is cached, then closes.
CachedPages Close(Descriptor descriptor);

}  // namespace nodecore::pages
