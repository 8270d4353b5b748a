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
  // So many agents that hang while they start have failed a boot, too: their deaths are too far apart to be counted.
  static constexpr int kSilentStarts = 3;

  // From now on agents run, each of which may take so long to start; 0 is for ever.
  void Began(Milliseconds now, Milliseconds start) noexcept {
    heard_ = now;
    silence_ = kSilentStarts * start;
  }

  // The agent that started at that time died. @returns how long to wait before the next one; nothing when the machine must
  // reboot, so that the boot loader counts the failure and takes the previous system. A blessed boot never does: its workload runs.
  std::optional<Milliseconds> Died(Milliseconds started, Milliseconds now);

  // An agent sent its heartbeat.
  void Alive(Milliseconds now) noexcept { heard_ = now; }

  // The running system was blessed.
  void Bless() noexcept { blessed_ = true; }

  // When a boot that is not blessed has failed because no agent is heard; nothing where that is no reason.
  std::optional<Milliseconds> Deadline() const noexcept;

 private:
  std::deque<Milliseconds> deaths_;
  Milliseconds delay_ = 0;
  Milliseconds heard_ = 0;
  Milliseconds silence_ = 0;
  bool blessed_ = false;
};

// Whether the agent still sends its heartbeat, and the first one in time.
class Liveness {
 public:
  static constexpr Milliseconds kPatience = 60'000;
  // Time from SIGABRT, which writes a report, to SIGKILL.
  static constexpr Milliseconds kReport = 10'000;

  enum class Verdict { kWell, kAbort, kKill };

  void Started(Milliseconds now) noexcept {
    Ended();
    started_ = now;
  }
  // No agent runs.
  void Ended() noexcept {
    started_.reset();
    heard_.reset();
    aborted_.reset();
    killed_ = false;
  }
  void Alive(Milliseconds now) noexcept { heard_ = now; }
  // How long the agent may be silent from now on.
  void Allow(Milliseconds patience) noexcept { patience_ = patience; }
  // How long it may take to its first heartbeat; 0 is for ever.
  void AllowStart(Milliseconds start) noexcept { start_ = start; }
  // How long the agent may be silent now.
  Milliseconds limit() const noexcept { return heard_ ? patience_ : start_; }
  // Returns each of abort and kill once.
  Verdict Judge(Milliseconds now) noexcept;
  // Whether the agent was ended because it was silent.
  bool aborted() const noexcept { return aborted_.has_value(); }
  // When to check next; nothing while no deadline is pending.
  std::optional<Milliseconds> Deadline() const noexcept;

 private:
  Milliseconds patience_ = kPatience;
  Milliseconds start_ = 0;
  std::optional<Milliseconds> started_;
  std::optional<Milliseconds> heard_;
  std::optional<Milliseconds> aborted_;
  bool killed_ = false;
};

}  // namespace nodecore::init
