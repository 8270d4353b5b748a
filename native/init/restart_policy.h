// When to restart a dead agent, and when to reboot the machine instead. Times are milliseconds of the monotonic clock.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace nodecore::init {

using Milliseconds = std::int64_t;

class RestartPolicy {
 public:
  static constexpr Milliseconds kFirstDelay = 1'000;
  static constexpr Milliseconds kLongestDelay = 30'000;
  // An agent that ran this long was healthy: the delay is reset.
  static constexpr Milliseconds kWell = 60'000;
  static constexpr Milliseconds kWindow = 10 * 60'000;
  static constexpr int kMostDeaths = 5;

  // The agent that started at that time died. @returns how long to wait before the next one; nothing when the machine must
  // reboot, so that the boot loader counts the failure and takes the previous system. A blessed boot never does: its workload runs.
  std::optional<Milliseconds> Died(Milliseconds started, Milliseconds now);

  // The running system was blessed.
  void Bless() noexcept { blessed_ = true; }

 private:
  std::deque<Milliseconds> deaths_;
  Milliseconds delay_ = 0;
  bool blessed_ = false;
};

// Whether the agent still sends its heartbeat. One that has not sent the first may take as long as it needs to start.
class Liveness {
 public:
  static constexpr Milliseconds kPatience = 60'000;
  // Time from SIGABRT, which writes a report, to SIGKILL.
  static constexpr Milliseconds kReport = 10'000;

  enum class Verdict { kWell, kAbort, kKill };

  void Started() noexcept { *this = Liveness(); }
  void Alive(Milliseconds now) noexcept { heard_ = now; }
  // Returns each of abort and kill once.
  Verdict Judge(Milliseconds now) noexcept;
  // When to check next; nothing while no deadline is pending.
  std::optional<Milliseconds> Deadline() const noexcept;

 private:
  std::optional<Milliseconds> heard_;
  std::optional<Milliseconds> aborted_;
  bool killed_ = false;
};

}  // namespace nodecore::init
