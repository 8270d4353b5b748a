// The kernel's announcements of devices that come, change and go: a netlink socket on kobject-uevent's group 1.
//
// Owns: the descriptor, which goes in the destructor.
// Threads: none of its own. Call it from one thread at a time.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::uevent {

struct Batch {
  // Whole datagrams as the kernel sent them: "action@path", then NUL-separated KEY=value.
  std::vector<std::string> messages;
  // The kernel dropped announcements, or one did not fit: only a new scan of everything shows what they were.
  bool overflowed = false;
};

class UeventSocket {
 public:
  // Asks for a receive buffer of that many bytes: beyond the system's limit when we may, up to it otherwise.
  static std::expected<UeventSocket, SysError> Open(int receive_buffer_bytes);

  // Takes what has arrived, without waiting. What others than the kernel sent is dropped.
  std::expected<Batch, SysError> Receive();

  int fd() const noexcept { return descriptor_.get(); }

 private:
  explicit UeventSocket(Descriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}
  Descriptor descriptor_;
};

}  // namespace nodecore::uevent
