#include "inotify/inotify.h"

#include <sys/inotify.h>

#include <array>
#include <cstring>

namespace nodecore::inotify {

std::expected<Inotify, SysError> Inotify::Open() {
  Descriptor descriptor(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (descriptor.get() < 0) return Failed("inotify_init1");
  return Inotify(std::move(descriptor));
}

std::expected<int, SysError> Inotify::Add(const std::string& path, std::uint32_t mask) {
  const int watch = inotify_add_watch(fd(), path.c_str(), mask);
  if (watch < 0) return Failed("inotify_add_watch");
  return watch;
}

std::expected<void, SysError> Inotify::Remove(int watch) {
  if (inotify_rm_watch(fd(), watch) < 0 && errno != EINVAL) return Failed("inotify_rm_watch");
  return {};
}

std::expected<std::vector<Event>, SysError> Inotify::Receive() {
  std::vector<Event> events;
  alignas(inotify_event) std::array<char, 64 * 1024> buffer;
  ssize_t size;
  do {
    size = read(fd(), buffer.data(), buffer.size());
  } while (size < 0 && errno == EINTR);
  if (size < 0) {
    if (errno == EAGAIN) return events;
    return Failed("read");
  }
  for (const char* at = buffer.data(); at < buffer.data() + size;) {
    inotify_event event;
    std::memcpy(&event, at, sizeof event);
    const char* name = at + sizeof event;
    // inotify(7): the name is padded with NULs up to `len`.
    events.push_back({event.wd, event.mask, std::string(name, strnlen(name, event.len))});
    at = name + event.len;
  }
  return events;
}

}  // namespace nodecore::inotify
