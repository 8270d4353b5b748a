#include "files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>

namespace nodecore::keeper {

namespace {

long long Milliseconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<long long>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
}

}  // namespace

long long MonotonicMs() { return Milliseconds(CLOCK_MONOTONIC); }
long long WallMs() { return Milliseconds(CLOCK_REALTIME); }

std::string ReadAll(const std::string& path) {
  std::string text;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  std::array<char, 4096> bytes;
  for (;;) {
    const ssize_t size = read(fd, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(size));
  }
  close(fd);
  return text;
}

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(fd, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

bool WriteFile(const std::string& path, std::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool isWritten = WriteAll(fd, text);
  close(fd);
  return isWritten;
}

bool ReplaceFile(const std::string& name, std::string_view text) {
  const std::string part = name + ".part";
  const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  const bool isWritten = WriteAll(fd, text);
  close(fd);
  return isWritten && rename(part.c_str(), name.c_str()) == 0;
}

std::string StartTime(long pid) {
  const std::string stat = ReadAll("/proc/" + std::to_string(pid) + "/stat");
  // The name in parentheses may hold anything, so count fields from its end. Field 3 is the state.
  auto at = stat.rfind(')');
  if (at == std::string::npos) return {};
  for (int field = 2; field < 22; ++field) {
    at = stat.find(' ', at + 1);
    if (at == std::string::npos) return {};
  }
  return stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
}

}  // namespace nodecore::keeper
