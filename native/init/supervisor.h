// PID 1's loop while the system runs: signals, the agent's messages and output, and the power button.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "agent.h"
#include "ending.h"
#include "power_button.h"
#include "restart_policy.h"
#include "watchdog.h"

namespace nodecore::init {

// How the system ends. None returns.
struct Conclusion {
  void (*orderly)(Ending, Agent&, Watchdog&);
  void (*at_once)(Ending, Watchdog&);
  // This boot has failed, and why.
  void (*failed)(const std::string&, Agent&, Watchdog&);
};

class Supervisor {
 public:
  // Blocks the signals that it reads through a signalfd. Call before any child is started.
  // arguments: a file with the command line of the agent.
  // start: how long an agent may take to its first heartbeat; 0 is for ever.
  // watchdog: may already be armed.
  Supervisor(const char* arguments, Conclusion conclusion, Milliseconds start, Watchdog watchdog = {});
  [[noreturn]] void Run();

 private:
  static constexpr int kInsistence = 7;
  static constexpr Milliseconds kInsistenceWindow = 2'000;

  void WaitForNews();
  void HearSignals();
  void HearAgent();
  void Reap();
  void StartAgent();
  // why: of the log, and of the event that the next agent sends.
  void AgentDied(std::string why);
  void CheckLiveness();
  // Sends it to the agent; without one, PID 1 acts by itself.
  void Ask(std::string_view word, Ending otherwise);
  void CtrlAltDel();

  [[noreturn]] void Conclude(Ending ending);
  [[noreturn]] void ConcludeAtOnce(Ending ending);
  [[noreturn]] void Fail(const std::string& why);

  Agent agent_;
  Conclusion conclusion_;
  PowerButtons buttons_;
  RestartPolicy policy_;
  Liveness liveness_;
  Watchdog watchdog_;
  Vouching vouching_;
  Milliseconds start_;
  std::optional<Milliseconds> restart_at_;
  std::deque<Milliseconds> insistence_;
  int signals_;
};

}  // namespace nodecore::init
