// A control file as the kernel gives it, of any length.
#pragma once

#include <cstdint>

#include "cgroupfs/arena.h"

namespace nodecore::cgroupfs {

// Appends the file's content from its beginning. Returns the number of bytes, or a negative errno, and then the arena is
// as it was.
std::int64_t ReadFile(int fd, Arena& arena);

}  // namespace nodecore::cgroupfs
