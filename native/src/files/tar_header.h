// Headers of tar archives, as GNU tar reads them: POSIX ustar with pax records for what that can't say, and names of any bytes and
// length as GNU has them, because pax knows only UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nodecore::files {

constexpr std::size_t kTarBlock = 512;

struct TarEntry {
  // '0' file, '1' hard link, '2' symbolic link, '3' and '4' devices, '5' directory, '6' pipe.
  char type = '0';
  std::string path;
  std::string target;
  std::uint32_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t size = 0;
  std::int64_t seconds = 0;
  std::uint32_t nanoseconds = 0;
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::vector<std::pair<std::string, std::string>> attributes;
};

// Adds all that stands before the content of an entry.
void AddTarHeader(std::string& out, const TarEntry& entry);

// Fills the last block.
void AddTarPadding(std::string& out, std::uint64_t size);

}  // namespace nodecore::files
