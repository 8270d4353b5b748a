#include "files/details.h"

#include <dirent.h>
#include <limits.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace nodecore::files {

namespace {

constexpr const char* kLabel = "security.selinux";
// XATTR_SIZE_MAX and XATTR_LIST_MAX of linux/limits.h.
constexpr std::size_t kMostBytes = 65'536;

// The place that a walk begins at has no directory to be named in. It is no link: its descriptor leads to it.
bool IsPlace(const Item& item) { return item.name[0] == '\0'; }

// Functions of attributes know no directories; those with an l do not follow a link that has taken a file's place.
std::string PathOf(const Item& item) {
  std::string path = "/proc/self/fd/" + std::to_string(item.directory);
  if (!IsPlace(item)) path.append("/").append(item.name);
  return path;
}

}  // namespace

std::uint32_t WireType(std::uint8_t type) noexcept {
  switch (type) {
    case DT_REG: return 1;
    case DT_DIR: return 2;
    case DT_LNK: return 3;
    case DT_FIFO: return 4;
    case DT_SOCK: return 5;
    case DT_CHR: return 6;
    case DT_BLK: return 7;
    default: return 0;
  }
}

std::vector<std::string> AttributeNames(const Item& item) {
  std::array<char, 4096> small;
  std::string large;
  char* names = small.data();
  const auto list = IsPlace(item) ? listxattr : llistxattr;
  ssize_t size = list(PathOf(item).c_str(), small.data(), small.size());
  if (size < 0 && errno == ERANGE) {
    large.resize(kMostBytes);
    names = large.data();
    size = list(PathOf(item).c_str(), names, large.size());
  }
  std::vector<std::string> found;
  for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(std::strlen(names + at)) + 1) found.emplace_back(names + at);
  return found;
}

std::string Attribute(const Item& item, const std::string& name) {
  std::string value(kMostBytes, '\0');
  const auto get = IsPlace(item) ? getxattr : lgetxattr;
  const ssize_t size = get(PathOf(item).c_str(), name.c_str(), value.data(), value.size());
  value.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return value;
}

std::string TargetOf(const Item& item) {
  std::array<char, PATH_MAX> target;
  const ssize_t size = readlinkat(item.directory, item.name, target.data(), target.size());
  return size < 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(size));
}

void AddDetails(Wire& wire, const Item& item) {
  const struct statx& status = item.status;
  wire.Number(3, status.stx_mode);
  wire.Number(4, status.stx_uid);
  wire.Number(5, status.stx_gid);
  wire.Number(6, status.stx_size);
  wire.Number(7, status.stx_blocks * 512);
  wire.Signed(8, status.stx_mtime.tv_sec);
  wire.Number(9, status.stx_mtime.tv_nsec);
  wire.Number(10, status.stx_nlink);
  wire.Number(11, status.stx_ino);
  wire.Number(12, status.stx_rdev_major);
  wire.Number(13, status.stx_rdev_minor);
  if (item.type == DT_LNK) wire.Bytes(14, TargetOf(item));
  for (const std::string& name : AttributeNames(item)) {
    if (name == kLabel) {
      std::string label = Attribute(item, name);
      if (label.ends_with('\0')) label.pop_back();
      wire.Bytes(15, label);
    } else {
      wire.Bytes(16, name);
    }
  }
}

}  // namespace nodecore::files
