// When to look at rings again: while packets keep coming, the fewer wake-ups the better, as long as a ring is far from
// full.
#pragma once

#include <cstdint>

namespace nodecore::packet {

// What one look at the rings found.
struct Found {
  std::uint32_t packets = 0;
  // Blocks that were handed over because they were full, not because their time was up.
  std::uint32_t full_blocks = 0;
};

class Hold {
 public:
  // `blocks`: of the smallest ring.
  Hold(std::uint32_t most_ms, std::uint32_t blocks) noexcept : most_ms_(most_ms), blocks_(blocks) {}

  // For how long not to look after this; 0: until a ring has something.
  std::uint32_t After(const Found& found) const noexcept {
    if (found.packets < kWorthAWake) return 0;
    return found.full_blocks * kRoom > blocks_ ? 0 : most_ms_;
  }

 private:
  // A wake-up for fewer packets than this costs more than it brings, once they keep coming.
  static constexpr std::uint32_t kWorthAWake = 64;
  // What gathered was more than this part of a ring: several times of it may come at any time.
  static constexpr std::uint32_t kRoom = 8;

  std::uint32_t most_ms_;
  std::uint32_t blocks_;
};

}  // namespace nodecore::packet
