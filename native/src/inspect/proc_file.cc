#include "inspect/proc_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/descriptor.h"

namespace nodecore::inspect {

namespace {

constexpr std::size_t kPiece = 4096;
constexpr std::size_t kLongestPath = 4096;

}  // namespace

std::expected<std::string, int> ReadProcFile(int directory, const char* name, std::size_t most) {
  const Descriptor file(openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (file.get() < 0) return std::unexpected(errno);
  std::string text;
  while (text.size() < most) {
    const std::size_t before = text.size();
    const std::size_t room = std::min(kPiece, most - before);
    text.resize(before + room);
    const ssize_t size = read(file.get(), text.data() + before, room);
    if (size < 0) {
      text.resize(before);
      if (errno == EINTR) continue;
      return std::unexpected(errno);
    }
    text.resize(before + static_cast<std::size_t>(size));
    if (size == 0) break;
  }
  return text;
}

std::expected<std::string, int> ReadProcLink(int directory, const char* name) {
  std::string target(kLongestPath, '\0');
  const ssize_t size = readlinkat(directory, name, target.data(), target.size());
  if (size < 0) return std::unexpected(errno);
  target.resize(static_cast<std::size_t>(size));
  return target;
}

bool IsGone(int number) noexcept { return number == ENOENT || number == ESRCH; }

bool IsForbidden(int number) noexcept { return number == EACCES || number == EPERM; }

}  // namespace nodecore::inspect
