// How many descriptors may stay open: a share of what the process is allowed, for all trees of the process together, asked
// again at every scan. Who comes first has them.
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
  // 80 % of the soft limit (getrlimit(2)) for all, and no more than `most` for this one.
  void Measure(std::uint64_t most) noexcept {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const auto share = static_cast<std::int64_t>(std::min<std::uint64_t>(limit.rlim_cur / 5 * 4, 1 << 30));
    limit_of_all_ = share;
    limit_ = static_cast<std::int64_t>(std::min<std::uint64_t>(most, static_cast<std::uint64_t>(share)));
    refused_ = 0;
  }

  // For one descriptor. A refusal is remembered: the next scan makes room for it.
  bool Take() noexcept {
    const std::int64_t all = held_by_all_.fetch_add(1, std::memory_order_relaxed);
    const std::int64_t held = held_.fetch_add(1, std::memory_order_relaxed);
    if (held == kFew) GrowTable();
    if (held < limit_ && all < limit_of_all_) return true;
    Give();
    refused_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  void Give() noexcept {
    held_by_all_.fetch_sub(1, std::memory_order_relaxed);
    held_.fetch_sub(1, std::memory_order_relaxed);
  }
  // Nothing more is kept until the next scan.
  void Close() noexcept { limit_ = 0; }

  std::int64_t held() const noexcept { return held_; }
  std::int64_t limit() const noexcept { return limit_; }
  std::int64_t refused() const noexcept { return refused_; }
  // What is held beyond a limit, this one's or that of all.
  std::int64_t excess() const noexcept {
    return std::max<std::int64_t>({0, held_ - limit_, std::min<std::int64_t>(held_, held_by_all_ - limit_of_all_)});
  }

 private:
  static constexpr std::int64_t kFew = 192;

  // The kernel doubles the process's table of descriptors when it is full, and the threads wait some 10 ms for it each
  // time: once is enough.
  void GrowTable() const noexcept {
    const int highest = static_cast<int>(std::min<std::int64_t>(limit_, 1 << 16)) - 1;
    const Descriptor probe(open("/", O_PATH | O_CLOEXEC));
    const Descriptor grown(fcntl(probe.get(), F_DUPFD_CLOEXEC, highest));
  }

  static inline std::atomic<std::int64_t> held_by_all_ = 0;
  static inline std::atomic<std::int64_t> limit_of_all_ = 0;
  std::atomic<std::int64_t> held_ = 0;
  std::atomic<std::int64_t> refused_ = 0;
  std::atomic<std::int64_t> limit_ = 0;
};

}  // namespace nodecore::cgroupfs
