#include "cgroupfs/pressure_trigger.h"

#include <fcntl.h>

#include <cerrno>

#include "cgroupfs/read_file.h"

namespace nodecore::cgroupfs {

std::expected<PressureTrigger, SysError> PressureTrigger::Open(const std::string& path, const std::string& condition) {
  Descriptor descriptor(open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (descriptor.get() < 0) return Failed("open");
  // With its NUL: the files in /proc/pressure put theirs over the last byte.
  if (write(descriptor.get(), condition.c_str(), condition.size() + 1) < 0) return Failed("write");
  return PressureTrigger(std::move(descriptor));
}

std::expected<std::string, SysError> PressureTrigger::Read() const {
  Arena arena;
  const std::int64_t length = ReadFile(fd(), arena);
  if (length < 0) return std::unexpected(SysError{"read", static_cast<int>(-length)});
  return std::string(arena.From(0));
}

}  // namespace nodecore::cgroupfs
