// One inotify instance. It exists because fs.watch never asks for IN_CLOSE_WRITE, the only sign of a device being
// reformatted that the kernel gives.
//
// Owns: the descriptor, and with it every watch; they go in the destructor.
// Threads: none of its own. Call it from one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::inotify {

struct Event {
  int watch;
  std::uint32_t mask;
  std::string name;
};

class Inotify {
 public:
  static std::expected<Inotify, SysError> Open();

  // The watch's number. A path that is watched already keeps its number.
  std::expected<int, SysError> Add(const std::string& path, std::uint32_t mask);
  // A watch that the kernel removed by itself is fine.
  std::expected<void, SysError> Remove(int watch);
  // Takes what has arrived, without waiting.
  std::expected<std::vector<Event>, SysError> Receive();

  int fd() const noexcept { return descriptor_.get(); }

 private:
  explicit Inotify(Descriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}
  Descriptor descriptor_;
};

}  // namespace nodecore::inotify
