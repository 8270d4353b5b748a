#include "files/tar_header.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace nodecore::files {

namespace {

constexpr std::size_t kNameBytes = 100;

// https://www.gnu.org/software/tar/manual/html_node/Standard.html
struct Header {
  char name[100];
  char mode[8];
  char uid[8];
  char gid[8];
  char size[12];
  char mtime[12];
  char checksum[8];
  char type;
  char target[100];
  char magic[6];
  char version[2];
  char user[32];
  char group[32];
  char major[8];
  char minor[8];
  char prefix[155];
  char padding[12];
};
static_assert(sizeof(Header) == kTarBlock);

template <std::size_t Size>
constexpr std::uint64_t kMost = (std::uint64_t{1} << (3 * (Size - 1))) - 1;

// A number that has no room is in a pax record.
template <std::size_t Size>
void Octal(char (&field)[Size], std::uint64_t value) {
  std::snprintf(field, Size, "%0*llo", static_cast<int>(Size - 1),
                static_cast<unsigned long long>(value > kMost<Size> ? 0 : value));
}

template <std::size_t Size>
void Text(char (&field)[Size], std::string_view value) {
  std::ranges::copy(value.substr(0, Size), field);
}

void AddBlock(std::string& out, Header header) {
  std::ranges::fill(header.checksum, ' ');
  std::uint32_t sum = 0;
  for (const unsigned char byte : std::string_view(reinterpret_cast<const char*>(&header), sizeof header)) sum += byte;
  std::snprintf(header.checksum, sizeof header.checksum, "%06o", sum);
  header.checksum[7] = ' ';
  out.append(reinterpret_cast<const char*>(&header), sizeof header);
}

Header Blank(char type, std::string_view name, std::uint64_t size) {
  Header header{};
  Text(header.name, name);
  Octal(header.mode, 0644);
  Octal(header.uid, 0);
  Octal(header.gid, 0);
  Octal(header.size, size);
  Octal(header.mtime, 0);
  header.type = type;
  Text(header.magic, std::string_view("ustar\0", 6));
  Text(header.version, "00");
  return header;
}

void AddWithContent(std::string& out, char type, std::string_view name, std::string_view content) {
  AddBlock(out, Blank(type, name, content.size()));
  out.append(content);
  AddTarPadding(out, content.size());
}

// "LENGTH KEY=VALUE\n", where the length counts its own digits.
void AddRecord(std::string& records, std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t size = rest + 1;
  while (std::to_string(size).size() + rest != size) ++size;
  records.append(std::to_string(size)).append(" ").append(key).append("=").append(value).append("\n");
}

std::string RecordsOf(const TarEntry& entry) {
  std::string records;
  if (entry.nanoseconds != 0 || entry.seconds < 0 || static_cast<std::uint64_t>(entry.seconds) > kMost<12>) {
    // Before the epoch the fraction counts down from the second: -0.25 is second -1 and 750 ms.
    const bool before = entry.seconds < 0 && entry.nanoseconds != 0;
    const std::int64_t seconds = before ? entry.seconds + 1 : entry.seconds;
    const std::uint32_t nanoseconds = before ? 1'000'000'000 - entry.nanoseconds : entry.nanoseconds;
    std::array<char, 48> text;
    std::snprintf(text.data(), text.size(), "%s%lld.%09u", before && seconds == 0 ? "-" : "",
                  static_cast<long long>(seconds), nanoseconds);
    AddRecord(records, "mtime", text.data());
  }
  if (entry.size > kMost<12>) AddRecord(records, "size", std::to_string(entry.size));
  if (entry.uid > kMost<8>) AddRecord(records, "uid", std::to_string(entry.uid));
  if (entry.gid > kMost<8>) AddRecord(records, "gid", std::to_string(entry.gid));
  for (const auto& [name, value] : entry.attributes) AddRecord(records, "SCHILY.xattr." + name, value);
  return records;
}

}  // namespace

void AddTarHeader(std::string& out, const TarEntry& entry) {
  constexpr std::string_view kLong = "././@LongLink";
  if (entry.target.size() > kNameBytes) AddWithContent(out, 'K', kLong, std::string_view(entry.target.c_str(), entry.target.size() + 1));
  if (entry.path.size() > kNameBytes) AddWithContent(out, 'L', kLong, std::string_view(entry.path.c_str(), entry.path.size() + 1));
  if (const std::string records = RecordsOf(entry); !records.empty()) AddWithContent(out, 'x', "pax", records);
  Header header = Blank(entry.type, entry.path, entry.size);
  Octal(header.mode, entry.mode & 07777);
  Octal(header.uid, entry.uid);
  Octal(header.gid, entry.gid);
  Octal(header.mtime, entry.seconds < 0 ? 0 : static_cast<std::uint64_t>(entry.seconds));
  Text(header.target, entry.target);
  if (entry.type == '3' || entry.type == '4') {
    Octal(header.major, entry.major);
    Octal(header.minor, entry.minor);
  }
  AddBlock(out, header);
}

void AddTarPadding(std::string& out, std::uint64_t size) { out.append((kTarBlock - size % kTarBlock) % kTarBlock, '\0'); }

}  // namespace nodecore::files
