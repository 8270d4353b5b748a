#include "snapshot/crc32c.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#include <wmmintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace nodecore::snapshot {

namespace {

static_assert(std::endian::native == std::endian::little);

// The polynomial with its bits reversed: bit 31 is the coefficient of x^0.
constexpr std::uint32_t kPolynomial = 0x82f63b78;
constexpr std::uint32_t kOne = 1U << 31;

using Table = std::array<std::uint32_t, 256>;

// Table k moves a byte's contribution past k more bytes.
constexpr std::array<Table, 8> kTables = [] {
  std::array<Table, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}();

std::uint64_t Load64(const std::byte* at) noexcept {
  std::uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Product of two polynomials modulo the generator.
constexpr std::uint32_t Multiply(std::uint32_t a, std::uint32_t b) noexcept {
  std::uint32_t product = 0;
  for (std::uint32_t bit = kOne; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return product;
}

// kPowers[k][n] is x^(8 * n * 256^k): moves a checksum past that many bytes.
constexpr std::array<Table, 8> kPowers = [] {
  std::array<Table, 8> powers{};
  std::uint32_t step = kOne >> 8;  // x^8: one byte
  for (auto& table : powers) {
    table[0] = kOne;
    for (std::size_t n = 1; n < table.size(); ++n) table[n] = Multiply(table[n - 1], step);
    step = Multiply(table[255], step);
  }
  return powers;
}();

#if defined(__x86_64__)

// The longest stream in words of 8 bytes.
constexpr std::size_t kMostWords = 256;

// kJoins[n] is x^(64 * n - 33): what moves a checksum past n words, less what the instruction and a product of reflected numbers add.
constexpr std::array<std::uint32_t, kMostWords + 1> kJoins = [] {
  std::array<std::uint32_t, kMostWords + 1> joins{};
  std::uint32_t power = kOne >> 31;  // x^31
  for (std::size_t n = 1; n < joins.size(); ++n) {
    joins[n] = power;
    power = Multiply(power, kPowers[0][8]);
  }
  return joins;
}();

// Carry-less: a few cycles, where Multiply takes a hundred.
__attribute__((target("sse4.2,pclmul"))) std::uint64_t Past(std::uint64_t crc, std::size_t words) noexcept {
  const __m128i join = _mm_cvtsi32_si128(static_cast<int>(kJoins[words]));
  const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(crc)), join, 0);
  return _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)));
}

__attribute__((target("sse4.2,pclmul"))) std::uint32_t HardwareCrc32c(std::uint32_t crc,
                                                                      std::span<const std::byte> bytes) noexcept {
  // The instruction takes three cycles and can begin every cycle: three streams at a time, joined afterwards.
  constexpr std::size_t kLeast = 96;
  std::uint64_t state = ~crc;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  while (left >= 3 * kLeast) {
    const std::size_t words = std::min(kMostWords, left / 24);
    const std::size_t stream = 8 * words;
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < stream; i += 8) {
      state = _mm_crc32_u64(state, Load64(at + i));
      second = _mm_crc32_u64(second, Load64(at + stream + i));
      third = _mm_crc32_u64(third, Load64(at + 2 * stream + i));
    }
    state = Past(Past(state, words) ^ second, words) ^ third;
    at += 3 * stream;
    left -= 3 * stream;
  }
  for (; left >= 8; at += 8, left -= 8) state = _mm_crc32_u64(state, Load64(at));
  auto last = static_cast<std::uint32_t>(state);
  for (; left > 0; ++at, --left) last = _mm_crc32_u8(last, std::to_integer<unsigned char>(*at));
  return ~last;
}

bool HasInstruction() noexcept { return __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("pclmul") != 0; }

#elif defined(__aarch64__)

__attribute__((target("+crc"))) std::uint32_t HardwareCrc32c(std::uint32_t crc,
                                                             std::span<const std::byte> bytes) noexcept {
  std::uint32_t state = ~crc;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) state = __crc32cd(state, Load64(at));
  for (; left > 0; ++at, --left) state = __crc32cb(state, std::to_integer<unsigned char>(*at));
  return ~state;
}

bool HasInstruction() noexcept { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }

#else

std::uint32_t HardwareCrc32c(std::uint32_t crc, std::span<const std::byte> bytes) noexcept {
  return PortableCrc32c(crc, bytes);
}

bool HasInstruction() noexcept { return false; }

#endif

}  // namespace

std::uint32_t PortableCrc32c(std::uint32_t crc, std::span<const std::byte> bytes) noexcept {
  std::uint32_t state = ~crc;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    const std::uint64_t word = Load64(at) ^ state;
    state = 0;
    for (std::size_t i = 0; i < 8; ++i) state ^= kTables[7 - i][(word >> (8 * i)) & 0xff];
  }
  for (; left > 0; ++at, --left) state = (state >> 8) ^ kTables[0][(state ^ std::to_integer<std::uint32_t>(*at)) & 0xff];
  return ~state;
}

std::uint32_t Crc32c(std::uint32_t crc, std::span<const std::byte> bytes) noexcept {
  static const bool has_instruction = HasInstruction();
  return has_instruction ? HardwareCrc32c(crc, bytes) : PortableCrc32c(crc, bytes);
}

std::uint32_t CombineCrc32c(std::uint32_t a, std::uint32_t b, std::uint64_t length_of_b) noexcept {
  for (std::size_t k = 0; length_of_b != 0; ++k, length_of_b >>= 8) {
    const std::uint64_t digit = length_of_b & 0xff;
    if (digit != 0) a = Multiply(kPowers[k][digit], a);
  }
  return a ^ b;
}

}  // namespace nodecore::snapshot
