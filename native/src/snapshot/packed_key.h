// Keys in few bytes, for the index of a database's pages: most are revisions, two numbers of eight bytes each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/page_format.h"

namespace nodecore::snapshot {

inline std::string_view AsText(Bytes bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A key of the bucket `key`: a revision's main and sub number, most significant byte first, around a `_`; a `t` at the
// end marks a deletion.
bool IsRevision(std::string_view key) noexcept;
std::uint64_t MainRevision(std::string_view key) noexcept;

void PackNumber(std::vector<std::byte>& to, std::uint64_t number);
// Trusts what was packed here, as does UnpackKey; both leave `at` behind what they read.
std::uint64_t UnpackNumber(const std::byte*& at) noexcept;

void PackText(std::vector<std::byte>& to, std::string_view text);
std::string_view UnpackText(const std::byte*& at) noexcept;

void PackKey(std::vector<std::byte>& to, std::string_view key);
void UnpackKey(const std::byte*& at, std::string& key);

}  // namespace nodecore::snapshot
