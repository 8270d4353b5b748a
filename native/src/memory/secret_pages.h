// Memory for keys: locked, so that it is never swapped; left out of core dumps; zeros in a forked child; between pages that
// nobody may touch. What is given back is overwritten at once.
#pragma once

#include <cstddef>
#include <expected>
#include <mutex>
#include <optional>
#include <vector>

#include "core/sys_error.h"

namespace nodecore::memory {

// Blocks for the whole process; it lives until the process ends. Call it from any thread.
class SecretPages {
 public:
  static SecretPages& OfProcess();

  // Zeros, at a multiple of kUnit. Give them back with the size they were asked for.
  std::expected<std::byte*, SysError> Take(std::size_t size_bytes);
  void GiveBack(std::byte* block, std::size_t size_bytes) noexcept;

  // Why some of the memory is not locked; RLIMIT_MEMLOCK usually. Such memory is used all the same.
  std::optional<SysError> LockFailure();

  SecretPages(const SecretPages&) = delete;
  SecretPages& operator=(const SecretPages&) = delete;

 private:
  static constexpr std::size_t kUnit = 64;

  struct Region {
    std::byte* begin;
    std::vector<bool> taken;  // by unit
  };

  SecretPages() = default;
  std::byte* TakeFrom(Region& region, std::size_t units);
  std::expected<Region*, SysError> Map(std::size_t units);

  std::mutex mutex_;
  std::vector<Region> regions_;
  std::optional<SysError> lock_failure_;
};

}  // namespace nodecore::memory
