// Reads, writes, copies and removes whole files.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace nodecore::init {

std::optional<std::string> ReadFile(const std::string& path);

// Writes to an existing file, or creates it with that mode. @returns whether all of it was written.
bool WriteFile(const std::string& path, std::string_view text, mode_t mode = 0644);

// Copies directories, regular files and symbolic links with their modes. @returns whether all of it was copied.
bool CopyTree(const std::string& from, const std::string& to);

// Removes everything below a directory of the initramfs, without crossing into another filesystem.
void RemoveBelow(const std::string& directory);

}  // namespace nodecore::init
