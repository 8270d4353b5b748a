// What a process that holds keys asks of the kernel and of malloc, and the cleaning of its stack.
#pragma once

#include <expected>

#include "core/sys_error.h"

namespace nodecore::memory {

// No core dump, and nobody but root may look into the process.
std::expected<void, SysError> ForbidDumps() noexcept;

// malloc overwrites what is freed: libraries and Node.js free buffers that keys have passed through. It keeps blocks of up to a
// kilobyte as they are, in its cache for each thread, until they are used again.
void WipeFreedMemory() noexcept;

// Overwrites what former calls have left behind in this thread: on its stack, for 256 KiB below the caller, and in the small blocks
// that malloc keeps for it.
void WipeTraces() noexcept;

}  // namespace nodecore::memory
