// Filesystems of the kernel and in memory.
#pragma once

#include <string>

namespace nodecore::init {

// mount(2), with a line in the log when it fails.
bool Mount(const char* source, const std::string& target, const char* type, unsigned long flags, const std::string& data = "");

// /dev, /proc and /sys, without which nothing can be told.
void MountKernel();

// What the running system needs besides, below its root. What a kernel lacks is told and left out.
void MountRuntime();

// Unmounts all that can be, the newest first, and has the rest take no more writes.
void UnmountAll();

}  // namespace nodecore::init
