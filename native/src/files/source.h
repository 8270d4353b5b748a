// Something that is made piece by piece, for a caller that takes one after the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <expected>
#include <string>

#include "core/sys_error.h"

namespace nodecore::files {

// Bytes in front of those of a piece that are free: what sends it puts its own there.
constexpr std::size_t kHeadroom = 16;
// As many bytes as a piece has, about: more cost memory, fewer cost calls.
constexpr std::size_t kPieceBytes = 256 * 1024;

struct Piece {
  // Behind the headroom.
  std::string bytes;
  // What came of it all, as a message; of the last piece.
  std::string report;
  bool last = false;
};

class Source {
 public:
  virtual ~Source() = default;
  // Adds to a piece until it is large enough. An error is the end. Looks at the flag between two files, and between two reads.
  virtual std::expected<void, SysError> Fill(Piece& piece, const std::atomic<bool>& cancelled) = 0;
};

}  // namespace nodecore::files
