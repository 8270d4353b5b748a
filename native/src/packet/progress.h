// How far a capture is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/sys_error.h"
#include "packet/hold.h"
#include "packet/ring.h"

namespace nodecore::packet {

// Why a capture has ended.
enum class End : std::uint8_t {
  kNone,     // it has not
  kStopped,  // as it was asked to
  kEnough,   // a limit of the sink
  kFailed,   // the sink's failure, or the last interface's
};

struct Progress {
  // Of every ring, in the order they were given.
  std::vector<RingCounters> rings;
  // Packets that are with the reader, or whole in the files.
  std::vector<std::uint64_t> taken;
  // Packets that left the ring and could not be written.
  std::vector<std::uint64_t> lost;
  // Why nothing more comes from a ring whose interface went down or away; the others go on.
  std::vector<std::optional<SysError>> gone;
  End end = End::kNone;
  std::optional<SysError> failure;
  // The sockets are gone, and promiscuous mode with them: some 20 ms after the end.
  bool closed = false;
  // The ring whose interface failed, when it was the last one.
  std::optional<std::uint32_t> failed_ring;
};

struct CaptureOptions {
  std::vector<RingOptions> rings;
  // While much arrives, blocks may gather that long; 0: somebody is woken for every block.
  std::uint32_t most_hold_ms = 0;
};

inline Hold HoldOf(const CaptureOptions& options) noexcept {
  const auto smallest = std::ranges::min_element(options.rings, {}, &RingOptions::blocks);
  return {options.most_hold_ms, smallest == options.rings.end() ? 0 : smallest->blocks};
}

}  // namespace nodecore::packet
