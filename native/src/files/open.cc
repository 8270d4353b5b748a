#include "files/open.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace nodecore::files {

namespace {

constexpr std::array<std::string_view, 9> kRefused = {"clear_refs", "kcore",     "kmsg",    "kpagecgroup", "kpagecount",
                                                      "kpageflags", "map_files", "mem", "pagemap"};

std::string LinkOf(const Descriptor& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

bool IsRefused(const Descriptor& place) {
  struct statfs system;
  if (fstatfs(place.get(), &system) != 0 || system.f_type != PROC_SUPER_MAGIC) return false;
  std::array<char, 4096> target;
  const ssize_t size = readlink(LinkOf(place).c_str(), target.data(), target.size());
  if (size < 0) return true;  // what has no name can't be judged
  const std::string_view path(target.data(), static_cast<std::size_t>(size));
  return std::ranges::find(kRefused, path.substr(path.rfind('/') + 1)) != kRefused.end();
}

}  // namespace

std::expected<Descriptor, SysError> OpenPlace(const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_MAGICLINKS;
  Descriptor place(static_cast<int>(syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
  if (place.get() < 0) return Failed("open");
  return place;
}

std::expected<Descriptor, SysError> OpenPlaceAt(int directory, const char* name) {
  Descriptor place(openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (place.get() < 0) return Failed("open");
  return place;
}

std::expected<Descriptor, SysError> Reopen(const Descriptor& place, int flags) {
  Descriptor fd(open(LinkOf(place).c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags));
  if (fd.get() < 0) return Failed("open");
  return fd;
}

std::expected<Descriptor, SysError> OpenContent(const Descriptor& place) {
  struct stat status;
  if (fstat(place.get(), &status) != 0) return Failed("stat");
  if (S_ISDIR(status.st_mode)) return std::unexpected(SysError{"open", EISDIR});
  if (!S_ISREG(status.st_mode)) return std::unexpected(SysError{"open", EINVAL});
  if (IsRefused(place)) return std::unexpected(SysError{"open", EPERM});
  return Reopen(place, 0);
}

}  // namespace nodecore::files
