// SipHash-2-4 with a 128-bit result (Aumasson, Bernstein: "SipHash: a fast short-input PRF"), fed in whole 64-bit words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace nodecore::probe {

class SipHash {
 public:
  explicit SipHash(const std::array<std::uint64_t, 2>& key) noexcept
      : a_(key[0] ^ 0x736f6d6570736575),
        b_(key[1] ^ 0x646f72616e646f6d ^ 0xee),
        c_(key[0] ^ 0x6c7967656e657261),
        d_(key[1] ^ 0x7465646279746573) {}

  void Add(std::uint64_t word) noexcept {
    d_ ^= word;
    Rounds(2);
    a_ ^= word;
    words_ += 1;
  }

  std::array<std::uint64_t, 2> Finish() noexcept {
    Add(words_ << 59);  // the length in bytes, modulo 256, in the top byte; there is never a remainder
    c_ ^= 0xee;
    Rounds(4);
    const std::uint64_t low = a_ ^ b_ ^ c_ ^ d_;
    b_ ^= 0xdd;
    Rounds(4);
    return {low, a_ ^ b_ ^ c_ ^ d_};
  }

 private:
  void Rounds(int count) noexcept {
    for (int round = 0; round < count; ++round) {
      a_ += b_;
      b_ = std::rotl(b_, 13) ^ a_;
      a_ = std::rotl(a_, 32);
      c_ += d_;
      d_ = std::rotl(d_, 16) ^ c_;
      a_ += d_;
      d_ = std::rotl(d_, 21) ^ a_;
      c_ += b_;
      b_ = std::rotl(b_, 17) ^ c_;
      c_ = std::rotl(c_, 32);
    }
  }

  std::uint64_t a_, b_, c_, d_;
  std::uint64_t words_ = 0;
};

}  // namespace nodecore::probe
