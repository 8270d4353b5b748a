// Files of /proc, relative to a directory that stays the same process's: a number that is given to another one leads to nothing.
#pragma once

#include <cstddef>
#include <expected>
#include <string>

namespace nodecore::inspect {

// The first `most` bytes of a file. The error is an errno.
std::expected<std::string, int> ReadProcFile(int directory, const char* name, std::size_t most);

// The target of a link. The error is an errno.
std::expected<std::string, int> ReadProcLink(int directory, const char* name);

// Whether an errno says that a process has gone, and nothing else.
bool IsGone(int number) noexcept;

// Whether it says that we may not look.
bool IsForbidden(int number) noexcept;

}  // namespace nodecore::inspect
