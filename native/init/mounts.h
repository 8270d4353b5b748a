// Mounts of kernel filesystems and tmpfs.
#pragma once

#include <string>

namespace nodecore::init {

// mount(2) that logs a failure.
bool Mount(const char* source, const std::string& target, const char* type, unsigned long flags, const std::string& data = "");

// Mounts /dev, /proc and /sys, which logging needs.
void MountKernel();

// Mounts the other filesystems of the running system below its root. Logs and skips those that the kernel lacks.
void MountRuntime();

// Unmounts everything it can, newest first, and remounts the rest read-only.
void UnmountAll();

}  // namespace nodecore::init
