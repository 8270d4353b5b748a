// Mounts of kernel filesystems and tmpfs.
#pragma once

#include <string>
#include <vector>

namespace nodecore::init {

// mount(2) that logs a failure.
bool Mount(const char* source, const std::string& target, const char* type, unsigned long flags, const std::string& data = "");

// Mounts /dev, /proc and /sys, which logging needs.
void MountKernel();

// Mounts the other filesystems of the running system below its root. Logs and skips those that the kernel lacks.
void MountRuntime();

// Where filesystems other than the kernel's and the root are mounted, newest first.
std::vector<std::string> OurMounts();

// What is written to the filesystem that is mounted there is on its disk afterwards.
void WriteBack(const std::string& path);

// For all its mounts. @returns whether nobody writes to it any more.
bool RemountReadOnly(const std::string& path);

// Unmounts everything it can, newest first, and remounts the rest read-only.
void UnmountAll();

}  // namespace nodecore::init
