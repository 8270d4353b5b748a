// The agent, the only child that PID 1 starts.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kmsg.h"
#include "message.h"
#include "restart_policy.h"
#include "watchdog.h"

namespace nodecore::init {

// Milliseconds of the monotonic clock.
Milliseconds Now();

// Owns PID 1's ends of the agent's channel and output pipe, across restarts.
class Agent {
 public:
  // arguments: a file with the command line of the agent, one argument per line.
  explicit Agent(const char* arguments) : arguments_(arguments) {}

  // @returns whether a process was started.
  bool Start();
  // What became of the one before, which the next one is told.
  void SetFormerEnd(std::string why) { former_end_ = "NODECORE_FORMER_END=" + std::move(why); }
  // Reads the rest of its output after its process has ended.
  void Ended();

  bool runs() const noexcept { return pid_ > 0; }
  pid_t pid() const noexcept { return pid_; }
  Milliseconds started() const noexcept { return started_; }
  // Descriptors to poll; -1 while there is no agent.
  int channel() const noexcept { return channel_; }
  int output() const noexcept { return output_; }

  // The next pending message; an unknown one is logged and skipped.
  std::optional<Message> Receive();
  // The watchdog that the last message asked for.
  const WatchdogWish& wish() const noexcept { return wish_; }
  // @returns whether it was sent.
  bool Send(std::string_view word);
  // Copies what the agent printed to the log.
  void ReadOutput();
  void Signal(int number);

 private:
  const char* arguments_;
  pid_t pid_ = -1;
  int channel_ = -1;
  int output_ = -1;
  Milliseconds started_ = 0;
  WatchdogWish wish_;
  std::string former_end_;
  LineReader lines_{"agent"};
};

}  // namespace nodecore::init
