// The hardware that restarts a machine which nobody feeds it for. One descriptor, held by PID 1 alone.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "restart_policy.h"

namespace nodecore::init {

// What the agent wants: a device and seconds, or none.
struct WatchdogWish {
  std::string device;
  int seconds = 0;
  bool operator==(const WatchdogWish&) const = default;
};

// `watchdog /dev/watchdog0 60` or `watchdog off`; nothing for anything else.
std::optional<WatchdogWish> ParseWatchdog(std::string_view datagram);

// Whether PID 1 may vouch for the agent: it starts, waits to be started, or said not long ago that its loop turns.
class Vouching {
 public:
  // The agent says that it is alive every 5 s.
  static constexpr Milliseconds kSilence = 15'000;
  static constexpr Milliseconds kStart = 5 * 60'000;

  // How long an agent may take to start, if that is longer.
  void AllowStart(Milliseconds start) noexcept { start_ = std::max(start, kStart); }
  void Started(Milliseconds now) noexcept {
    started_ = now;
    heard_.reset();
  }
  void Alive(Milliseconds now) noexcept { heard_ = now; }
  bool Holds(Milliseconds now) const noexcept { return heard_ ? now - *heard_ <= kSilence : now - started_ <= start_; }

 private:
  Milliseconds start_ = kStart;
  Milliseconds started_ = 0;
  std::optional<Milliseconds> heard_;
};

// Timeout of the boot watchdog in seconds: from the kernel command line (`os.watchdog=SECONDS`, `os.watchdog=off`), 300 by default. 0
// means none, also with `panic=0`, which keeps a machine that cannot start as it is.
int BootSeconds(std::string_view command_line);

// How long an agent may take to its first heartbeat, with a boot watchdog of so many seconds: five minutes, or longer where a slow
// machine is told so. 0 is for ever, where there is to be no watchdog.
Milliseconds StartWith(int seconds);

// How long the agent may be silent before PID 1 ends it, with a watchdog of so many seconds (0: none). Its services go on only when
// this happens before the hardware bites; with fewer than 30 s it can not, and the hardware is first.
Milliseconds PatienceWith(int seconds);

class Watchdog {
 public:
  // Arms the first watchdog device as soon as it is present, once. Until a configuration document replaces it, a hang during boot
  // resets the machine.
  void Guard(int seconds, Milliseconds now);
  // Makes it so. @returns what the agent is told: the seconds that the hardware took, `off`, or why it is not so.
  std::string Set(const WatchdogWish& wish, Milliseconds now);
  // Feeds it when it is time to, unless nobody vouches for the agent.
  void Feed(Milliseconds now, const Vouching& vouching);
  // Feeds it when it is time to, while PID 1 is at work itself.
  void Keep(Milliseconds now);
  // The next feeding is now: another agent is about to be vouched for, and the hardware may be close to its bite.
  void Hurry(Milliseconds now) {
    if (next_) next_ = now;
  }
  // Of the hardware; 0 while there is none.
  int seconds() const noexcept { return set_.seconds; }
  // When to feed next; nothing while there is none.
  std::optional<Milliseconds> Deadline() const noexcept { return next_; }
  // The machine goes off, which takes as long as it takes: nothing bites meanwhile.
  void Off();

 private:
  WatchdogWish set_;
  bool guarded_ = false;
  int fd_ = -1;
  std::optional<Milliseconds> next_;
};

}  // namespace nodecore::init
