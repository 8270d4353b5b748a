// Files, whole.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace nodecore::init {

std::optional<std::string> ReadFile(const std::string& path);

// Writes to a file that is there, or makes it with that mode. @returns whether all was written.
bool WriteFile(const std::string& path, std::string_view text, mode_t mode = 0644);

// Copies directories, regular files and symbolic links with their modes. @returns whether all of it was copied.
bool CopyTree(const std::string& from, const std::string& to);

// Removes all below a directory of the first filesystem, on that filesystem alone.
void RemoveBelow(const std::string& directory);

}  // namespace nodecore::init
