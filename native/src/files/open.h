// Opening what a caller has named, without opening what it must not be: a pipe would wake its writer, a device may do anything.
#pragma once

#include <expected>
#include <string>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::files {

// A place (O_PATH): nothing is opened yet. Symbolic links are followed, those of /proc that lead to what a process has open are not.
std::expected<Descriptor, SysError> OpenPlace(const std::string& path);

// The same below a directory, and no link is followed.
std::expected<Descriptor, SysError> OpenPlaceAt(int directory, const char* name);

// What a place stands for, opened for reading without waiting: exactly that, whatever has its name by now.
std::expected<Descriptor, SysError> Reopen(const Descriptor& place, int flags);

// A regular file, for its content. EISDIR for a directory, EINVAL for whatever else is no regular file, EPERM for memory of
// processes and of the kernel, and for the kernel's log, which reading takes away: files of /proc that are more than text.
std::expected<Descriptor, SysError> OpenContent(const Descriptor& place);

}  // namespace nodecore::files
