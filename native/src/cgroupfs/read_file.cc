#include "cgroupfs/read_file.h"

#include <unistd.h>

#include <cerrno>

namespace nodecore::cgroupfs {

namespace {

constexpr std::size_t kRoom = 16 * 1024;

// seq_file ends a read early only when the next record does not fit into its page. Records of files with many (pids)
// have a few bytes, a file with one record is never cut: an answer that leaves a quarter of a page free is all there is,
// and needs no second call to make sure.
constexpr std::size_t kCertainlyAll = 3072;

}  // namespace

std::int64_t ReadFile(int fd, Arena& arena) {
  const std::size_t start = arena.size();
  while (true) {
    arena.Reserve(kRoom);
    const ssize_t size = pread(fd, arena.end(), arena.room(), static_cast<off_t>(arena.size() - start));
    if (size < 0) {
      if (errno == EINTR) continue;
      const int number = errno;
      arena.Truncate(start);
      return -number;
    }
    arena.Add(static_cast<std::size_t>(size));
    if (size == 0 || arena.size() - start < kCertainlyAll) return static_cast<std::int64_t>(arena.size() - start);
  }
}

}  // namespace nodecore::cgroupfs
