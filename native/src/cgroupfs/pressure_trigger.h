// A trigger of a pressure file: the kernel watches the stall time and notifies when it passes the threshold.
//
// Owns: the descriptor, which is the trigger; it goes in the destructor.
// Threads: none of its own. Call it from one thread at a time.
#pragma once

#include <expected>
#include <string>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::cgroupfs {

class PressureTrigger {
 public:
  // `condition` as Documentation/accounting/psi.rst has it: `some 150000 1000000`.
  static std::expected<PressureTrigger, SysError> Open(const std::string& path, const std::string& condition);

  // The file's text now. ENODEV: its cgroup is gone.
  std::expected<std::string, SysError> Read() const;

  // Has an exceptional condition (POLLPRI) when the trigger fired. Asking clears it.
  int fd() const noexcept { return descriptor_.get(); }

 private:
  explicit PressureTrigger(Descriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}
  Descriptor descriptor_;
};

}  // namespace nodecore::cgroupfs
