#include "log_ring.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "files.h"

namespace nodecore::keeper {

namespace {

constexpr std::string_view kPrefix = "log.";
constexpr std::size_t kDigits = 20;

// Offsets of the present files, compressed or not.
std::deque<unsigned long long> Starts() {
  std::deque<unsigned long long> starts;
  DIR* const directory = opendir(".");
  if (directory == nullptr) return starts;
  while (const dirent* const entry = readdir(directory)) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(kPrefix) || name.size() < kPrefix.size() + kDigits) continue;
    starts.push_back(strtoull(entry->d_name + kPrefix.size(), nullptr, 10));
  }
  closedir(directory);
  std::ranges::sort(starts);
  const auto [first, last] = std::ranges::unique(starts);
  starts.erase(first, last);
  return starts;
}

}  // namespace

std::string SegmentName(unsigned long long offset) {
  char name[32];
  snprintf(name, sizeof name, "log.%020llu", offset);
  return name;
}

LogRing::LogRing() : starts_(Starts()) {
  if (starts_.empty()) {
    Begin(0);
    return;
  }
  start_ = starts_.back();
  struct stat facts{};
  fd_ = open(SegmentName(start_).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd_ >= 0 && fstat(fd_, &facts) == 0) {
    size_ = static_cast<unsigned long long>(facts.st_size);
    return;
  }
  // The newest file is compressed, so it was full.
  Begin(start_ + kSegmentBytes);
}

LogRing::~LogRing() {
  if (fd_ >= 0) close(fd_);
}

void LogRing::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    if (fd_ < 0 || size_ >= kSegmentBytes) Begin(start_ + size_);
    const auto length = std::min<std::size_t>(bytes.size(), kSegmentBytes - size_);
    // Counted even when the disk is full: readers see by the gap that something is missing.
    if (fd_ < 0 || !WriteAll(fd_, bytes.substr(0, length))) {
      Begin(start_ + size_ + bytes.size());
      return;
    }
    size_ += length;
    bytes.remove_prefix(length);
  }
}

void LogRing::Begin(unsigned long long offset) {
  if (fd_ >= 0) close(fd_);
  start_ = offset;
  size_ = 0;
  while (!starts_.empty() && starts_.front() + kTotalBytes < offset + kSegmentBytes) {
    Drop(starts_.front());
    starts_.pop_front();
  }
  fd_ = open(SegmentName(offset).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd_ >= 0 && (starts_.empty() || starts_.back() != offset)) starts_.push_back(offset);
}

void LogRing::Drop(unsigned long long offset) {
  const std::string name = SegmentName(offset);
  unlink(name.c_str());
  unlink((name + ".zst").c_str());
}

}  // namespace nodecore::keeper
