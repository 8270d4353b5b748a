#include "memory/secret_pages.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace nodecore::memory {

namespace {

// Hundreds of keys fit; a quarter of what RLIMIT_MEMLOCK gives to anybody today would be 2 MiB.
constexpr std::size_t kRegionBytes = 128 * 1024;

std::size_t RoundUp(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

}  // namespace

SecretPages& SecretPages::OfProcess() {
  // Never destroyed: other threads may give blocks back while the process ends.
  static auto* pages = new SecretPages();
  return *pages;
}

std::expected<std::byte*, SysError> SecretPages::Take(std::size_t size_bytes) {
  const std::size_t units = std::max<std::size_t>(1, RoundUp(size_bytes, kUnit) / kUnit);
  const std::lock_guard lock(mutex_);
  for (Region& region : regions_) {
    if (std::byte* block = TakeFrom(region, units)) return block;
  }
  const auto region = Map(units);
  if (!region) return std::unexpected(region.error());
  return TakeFrom(**region, units);
}

void SecretPages::GiveBack(std::byte* block, std::size_t size_bytes) noexcept {
  const std::size_t units = std::max<std::size_t>(1, RoundUp(size_bytes, kUnit) / kUnit);
  const std::lock_guard lock(mutex_);
  explicit_bzero(block, units * kUnit);
  for (Region& region : regions_) {
    if (block < region.begin || block >= region.begin + region.taken.size() * kUnit) continue;
    const auto first = region.taken.begin() + (block - region.begin) / static_cast<std::ptrdiff_t>(kUnit);
    std::fill(first, first + static_cast<std::ptrdiff_t>(units), false);
  }
}

std::optional<SysError> SecretPages::LockFailure() {
  const std::lock_guard lock(mutex_);
  return lock_failure_;
}

// First fit. Null when there is no room.
std::byte* SecretPages::TakeFrom(Region& region, std::size_t units) {
  auto& taken = region.taken;
  const auto first = std::search_n(taken.begin(), taken.end(), static_cast<std::ptrdiff_t>(units), false);
  if (first == taken.end()) return nullptr;
  std::fill(first, first + static_cast<std::ptrdiff_t>(units), true);
  return region.begin + static_cast<std::size_t>(first - taken.begin()) * kUnit;
}

std::expected<SecretPages::Region*, SysError> SecretPages::Map(std::size_t units) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t size = RoundUp(std::max(units * kUnit, kRegionBytes), page);
  // The first and the last page stay closed: who runs over an end is stopped there.
  void* const whole = mmap(nullptr, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) return Failed("mmap");
  auto* const begin = static_cast<std::byte*>(whole) + page;
  // A kernel that lacks one of these (they are of 3.4 and 4.14) refuses keys rather than keep them where they may leak.
  const char* failed = nullptr;
  if (mprotect(begin, size, PROT_READ | PROT_WRITE) != 0) failed = "mprotect";
  else if (madvise(begin, size, MADV_DONTDUMP) != 0 || madvise(begin, size, MADV_WIPEONFORK) != 0) failed = "madvise";
  if (failed != nullptr) {
    const SysError error{failed, errno};
    munmap(whole, size + 2 * page);
    return std::unexpected(error);
  }
  if (mlock(begin, size) != 0) lock_failure_ = SysError{"mlock", errno};
  regions_.push_back({begin, std::vector<bool>(size / kUnit, false)});
  return &regions_.back();
}

}  // namespace nodecore::memory
