// Names of cgroups as text: bytes that are no UTF-8 become `\x{ff}`, so that two names stay two, and can be turned back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace nodecore::cgroupfs {

// The length of the UTF-8 sequence that a text begins with (RFC 3629, section 4); 0 when there is none.
inline std::size_t SequenceLength(std::string_view text) noexcept {
  const auto at = [&](std::size_t index) -> unsigned { return index < text.size() ? static_cast<std::uint8_t>(text[index]) : 0U; };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0 ? 2 : (first & 0xf0) == 0xe0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (std::size_t index = 1; index < length; ++index) {
    if ((at(index) & 0xc0) != 0x80) return 0;
  }
  // Longer than need be, halves of pairs, beyond the last plane.
  if ((first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) > 0x9f)) return 0;
  if ((first == 0xf0 && at(1) < 0x90) || (first == 0xf4 && at(1) > 0x8f)) return 0;
  return length;
}

inline std::string NameText(std::string_view name) {
  constexpr std::string_view kEscape = "\\x{";
  std::string text;
  while (!name.empty()) {
    const std::size_t length = SequenceLength(name);
    // A name that has such an escape itself stays distinct from one that was escaped.
    if (length == 0 || name.starts_with(kEscape)) {
      std::array<char, 8> hex;
      std::snprintf(hex.data(), hex.size(), "\\x{%02x}", static_cast<unsigned>(static_cast<std::uint8_t>(name[0])));
      text += hex.data();
      name.remove_prefix(1);
    } else {
      text += name.substr(0, length);
      name.remove_prefix(length);
    }
  }
  return text;
}

}  // namespace nodecore::cgroupfs
