#include "mounts.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "fatal.h"
#include "files.h"
#include "kmsg.h"
#include "text.h"

namespace nodecore::init {

namespace {

constexpr unsigned long kPlain = MS_NOSUID | MS_NODEV;
constexpr unsigned long kKernel = kPlain | MS_NOEXEC;

// Reads only paths without escapes: ours have none, and any other is covered by the read-only remount.
std::vector<std::string> MountPoints() {
  std::vector<std::string> found;
  for (const auto& line : Lines(ReadFile("/proc/self/mounts").value_or(""))) {
    const auto first = line.find(' ');
    const auto second = line.find(' ', first + 1);
    if (second != std::string::npos) found.push_back(line.substr(first + 1, second - first - 1));
  }
  return found;
}

bool IsKernels(const std::string& path) {
  if (path == "/") return true;
  for (const std::string_view top : {"/dev", "/proc", "/sys"})
    if (path == top || path.starts_with(std::string(top) + "/")) return true;
  return false;
}

}  // namespace

bool Mount(const char* source, const std::string& target, const char* type, unsigned long flags, const std::string& data) {
  if (mount(source, target.c_str(), type, flags, data.c_str()) == 0) return true;
  Log("mount %s on %s: %s", source, target.c_str(), strerror(errno));
  return false;
}

void MountKernel() {
  for (const char* directory : {"/dev", "/proc", "/sys"}) mkdir(directory, 0755);
  const bool mounted = mount("devtmpfs", "/dev", "devtmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755") == 0 &&
                       mount("proc", "/proc", "proc", kKernel, nullptr) == 0 &&
                       mount("sysfs", "/sys", "sysfs", kKernel, nullptr) == 0;
  if (!mounted) Fatal("/dev, /proc or /sys: %s", strerror(errno));
  symlink("/proc/self/fd", "/dev/fd");
  symlink("/proc/self/fd/0", "/dev/stdin");
  symlink("/proc/self/fd/1", "/dev/stdout");
  symlink("/proc/self/fd/2", "/dev/stderr");
}

void MountRuntime() {
  Mount("tmpfs", "/tmp", "tmpfs", kPlain, "mode=1777");
  Mount("tmpfs", "/var", "tmpfs", kPlain, "mode=0755");
  mkdir("/dev/shm", 01777);
  Mount("tmpfs", "/dev/shm", "tmpfs", kPlain, "mode=1777");
  Mount("cgroup2", "/sys/fs/cgroup", "cgroup2", kKernel, "nsdelegate,memory_recursiveprot");
  Mount("securityfs", "/sys/kernel/security", "securityfs", kKernel);
  // Records of a kernel that crashed; the directory exists once a driver has registered a backend.
  if (access("/sys/fs/pstore", F_OK) == 0) Mount("pstore", "/sys/fs/pstore", "pstore", kKernel);
  if (access("/sys/firmware/efi/efivars", F_OK) == 0) Mount("efivarfs", "/sys/firmware/efi/efivars", "efivarfs", kKernel);
}

std::vector<std::string> OurMounts() {
  auto paths = MountPoints();
  std::erase_if(paths, IsKernels);
  std::ranges::reverse(paths);
  return paths;
}

void WriteBack(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  syncfs(file);
  close(file);
}

bool RemountReadOnly(const std::string& path) {
  return mount(nullptr, path.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
}

void UnmountAll() {
  for (const auto& path : OurMounts()) {
    if (umount2(path.c_str(), UMOUNT_NOFOLLOW) == 0) continue;
    const int number = errno;
    if (!RemountReadOnly(path)) Log("%s stays mounted: %s", path.c_str(), strerror(number));
  }
}

}  // namespace nodecore::init
