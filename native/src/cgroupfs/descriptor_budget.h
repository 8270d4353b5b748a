// How many descriptors may stay open: a share of what the process is allowed, asked again at every scan.
//
// Threads: any.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "core/descriptor.h"

namespace nodecore::cgroupfs {

class DescriptorBudget {
 public:
  // 80 % of the soft limit (getrlimit(2)), or `most` if that is less.
  void Measure(std::uint64_t most) noexcept {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit_ = static_cast<std::int64_t>(std::min<std::uint64_t>({most, limit.rlim_cur / 5 * 4, 1 << 30}));
    refused_ = 0;
  }

  // For one descriptor. A refusal is remembered: the next scan makes room for it.
  bool Take() noexcept {
    const std::int64_t held = held_.fetch_add(1, std::memory_order_relaxed);
    if (held == kFew) GrowTable();
    if (held < limit_) return true;
    held_.fetch_sub(1, std::memory_order_relaxed);
    refused_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  void Give() noexcept { held_.fetch_sub(1, std::memory_order_relaxed); }
  // Nothing more is kept until the next scan.
  void Close() noexcept { limit_ = 0; }

  std::int64_t held() const noexcept { return held_; }
  std::int64_t limit() const noexcept { return limit_; }
  std::int64_t refused() const noexcept { return refused_; }

 private:
  static constexpr std::int64_t kFew = 192;

  // The kernel doubles the process's table of descriptors when it is full, and the threads wait some 10 ms for it each
  // time: once is enough.
  void GrowTable() const noexcept {
    const int highest = static_cast<int>(std::min<std::int64_t>(limit_, 1 << 16)) - 1;
    const Descriptor probe(open("/", O_PATH | O_CLOEXEC));
    const Descriptor grown(fcntl(probe.get(), F_DUPFD_CLOEXEC, highest));
  }

  std::atomic<std::int64_t> held_ = 0;
  std::atomic<std::int64_t> refused_ = 0;
  std::atomic<std::int64_t> limit_ = 0;
};

}  // namespace nodecore::cgroupfs
