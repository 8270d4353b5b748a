// The agent: PID 1's one child of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "kmsg.h"
#include "message.h"
#include "restart_policy.h"
#include "watchdog.h"

namespace nodecore::init {

// Milliseconds of the monotonic clock.
Milliseconds Now();

// Owns: the ends of the agent's channel and of its output, for one life after another.
class Agent {
 public:
  // arguments: the file that says how it is started, an argument on each line.
  explicit Agent(const char* arguments) : arguments_(arguments) {}

  // @returns whether there is a process now.
  bool Start();
  // Its process ended: what it still had to say is read.
  void Ended();

  bool runs() const noexcept { return pid_ > 0; }
  pid_t pid() const noexcept { return pid_; }
  Milliseconds started() const noexcept { return started_; }
  // To poll; -1 while there is none.
  int channel() const noexcept { return channel_; }
  int output() const noexcept { return output_; }

  // The next message that waits; one that is unknown is told and passed over.
  std::optional<Message> Receive();
  // What the last message of a watchdog asked for.
  const WatchdogWish& wish() const noexcept { return wish_; }
  // @returns whether the agent will get it.
  bool Send(std::string_view word);
  // Hands what the agent printed to the log.
  void ReadOutput();
  void Signal(int number);

 private:
  const char* arguments_;
  pid_t pid_ = -1;
  int channel_ = -1;
  int output_ = -1;
  Milliseconds started_ = 0;
  WatchdogWish wish_;
  LineReader lines_{"agent"};
};

}  // namespace nodecore::init
