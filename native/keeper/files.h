// Descriptors and small files, relative to the directory that the keeper works in.
#pragma once

#include <string>
#include <string_view>

namespace nodecore::keeper {

// Milliseconds of the monotonic clock, and since 1970.
long long MonotonicMs();
long long WallMs();

// The whole content, for files of /proc; empty when it cannot be read.
std::string ReadAll(const std::string& path);
// @returns whether all of it was written.
bool WriteAll(int fd, std::string_view text);
bool WriteFile(const std::string& path, std::string_view text);
// Replaces the file atomically: a reader sees the old text or the new one.
bool ReplaceFile(const std::string& name, std::string_view text);
// When a process was started, in ticks since the boot (proc_pid_stat(5), field 22); empty when there is none.
std::string StartTime(long pid);

}  // namespace nodecore::keeper
