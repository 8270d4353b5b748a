#include "supervisor.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>
#include <vector>

#include "fatal.h"
#include "kmsg.h"

namespace nodecore::init {

namespace {

sigset_t OurSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGPWR}) sigaddset(&set, number);
  return set;
}

}  // namespace

Supervisor::Supervisor(const char* arguments, Conclusion conclusion, Milliseconds start, Watchdog watchdog)
    : agent_(arguments), conclusion_(conclusion), watchdog_(std::move(watchdog)), start_(start) {
  const sigset_t set = OurSignals();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0) Fatal("signalfd");
}

void Supervisor::Run() {
  buttons_.Open();
  liveness_.Allow(PatienceWith(watchdog_.seconds()));  // what guards the start may be as short as a document's
  liveness_.AllowStart(start_);
  vouching_.AllowStart(start_);
  policy_.Began(Now(), start_);
  StartAgent();
  for (;;) {
    WaitForNews();
    HearSignals();
    HearAgent();
    Reap();
    CheckLiveness();
    watchdog_.Feed(Now(), vouching_);
    if (restart_at_ && Now() >= *restart_at_) StartAgent();
  }
}

void Supervisor::WaitForNews() {
  std::vector<pollfd> fds{{signals_, POLLIN, 0}, {agent_.channel(), POLLIN, 0}, {agent_.output(), POLLIN, 0}};
  for (const int button : buttons_.descriptors()) fds.push_back({button, POLLIN, 0});
  auto next = restart_at_;
  for (const auto& deadline : {liveness_.Deadline(), policy_.Deadline(), watchdog_.Deadline()})
    if (deadline) next = std::min(next.value_or(*deadline), *deadline);
  const auto wait = next ? std::clamp<Milliseconds>(*next - Now() + 1, 0, 60'000) : -1;
  poll(fds.data(), fds.size(), static_cast<int>(wait));
  for (std::size_t i = 3; i < fds.size(); ++i)
    if ((fds[i].revents & POLLIN) != 0 && PowerButtons::Pressed(fds[i].fd)) Ask(kPowerButton, Ending::kPowerOff);
}

void Supervisor::HearSignals() {
  signalfd_siginfo signal;
  while (read(signals_, &signal, sizeof signal) == sizeof signal) {
    if (signal.ssi_signo == SIGINT) CtrlAltDel();
    if (signal.ssi_signo == SIGTERM || signal.ssi_signo == SIGPWR) Ask(kPowerButton, Ending::kPowerOff);
  }
}

void Supervisor::HearAgent() {
  agent_.ReadOutput();
  while (const auto message = agent_.Receive()) {
    switch (*message) {
      case Message::kAlive:
        liveness_.Alive(Now());
        policy_.Alive(Now());
        vouching_.Alive(Now());
        break;
      case Message::kBlessed:
        policy_.Bless();
        break;
      case Message::kWatchdog:
        agent_.Send(watchdog_.Set(agent_.wish(), Now()));
        liveness_.Allow(PatienceWith(watchdog_.seconds()));
        break;
      case Message::kReboot:
        Conclude(Ending::kReboot);
      case Message::kKexec:
        Conclude(Ending::kKexec);
      case Message::kPowerOff:
        Conclude(Ending::kPowerOff);
      case Message::kHalt:
        Conclude(Ending::kHalt);
      case Message::kForceReboot:
        ConcludeAtOnce(Ending::kReboot);
      case Message::kForcePowerOff:
        ConcludeAtOnce(Ending::kPowerOff);
      case Message::kForceHalt:
        ConcludeAtOnce(Ending::kHalt);
    }
  }
}

// Orphans of other processes are reaped here as well.
void Supervisor::Reap() {
  int status = 0;
  pid_t child;
  while ((child = waitpid(-1, &status, WNOHANG)) > 0) {
    if (child != agent_.pid()) continue;
    const auto seconds = liveness_.limit() / 1000;
    const auto why = liveness_.aborted() ? "was ended because it was silent for " + std::to_string(seconds) + " s"
                     : WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status))
                                           : "ended with " + std::to_string(WEXITSTATUS(status));
    HearAgent();  // its last messages
    AgentDied(why);
  }
}

void Supervisor::StartAgent() {
  restart_at_.reset();
  liveness_.Started(Now());
  vouching_.Started(Now());
  if (!agent_.Start()) AgentDied("could not be started");
}

void Supervisor::AgentDied(std::string why) {
  Log("the agent %s", why.c_str());
  const auto started = agent_.started();
  agent_.Ended();
  liveness_.Ended();
  vouching_.Started(Now());
  watchdog_.Hurry(Now());
  const auto delay = policy_.Died(started, Now());
  if (!delay) Fail("the agent died " + std::to_string(RestartPolicy::kMostDeaths) + " times in ten minutes, at last it " + why);
  agent_.SetFormerEnd(std::move(why));
  Log("the agent is started again in %lld s", static_cast<long long>(*delay / 1000));
  restart_at_ = Now() + *delay;
}

void Supervisor::CheckLiveness() {
  const auto verdict = liveness_.Judge(Now());
  if (verdict == Liveness::Verdict::kAbort) {
    Log("the agent has been silent for %lld s: it is ended with a report", static_cast<long long>(liveness_.limit() / 1000));
    agent_.Signal(SIGABRT);
  }
  if (verdict == Liveness::Verdict::kKill) agent_.Signal(SIGKILL);
  if (const auto deadline = policy_.Deadline(); deadline && Now() >= *deadline)
    Fail("no agent was heard for " + std::to_string(RestartPolicy::kSilentStarts * start_ / 1000) + " s");
}

void Supervisor::Ask(std::string_view word, Ending otherwise) {
  if (agent_.runs() && agent_.Send(word)) return;
  Conclude(otherwise);
}

void Supervisor::Conclude(Ending ending) {
  // The watchdog stays armed for a reboot that hangs, but must not restart a machine that is to stay off.
  if (ending == Ending::kPowerOff || ending == Ending::kHalt) watchdog_.Off();
  conclusion_.orderly(ending, agent_, watchdog_);
  for (;;) pause();
}

void Supervisor::ConcludeAtOnce(Ending ending) {
  if (ending == Ending::kPowerOff || ending == Ending::kHalt) watchdog_.Off();
  conclusion_.at_once(ending, watchdog_);
  for (;;) pause();
}

void Supervisor::Fail(const std::string& why) {
  conclusion_.failed(why, agent_, watchdog_);
  for (;;) pause();
}

void Supervisor::CtrlAltDel() {
  const auto now = Now();
  insistence_.push_back(now);
  while (now - insistence_.front() > kInsistenceWindow) insistence_.pop_front();
  if (std::ssize(insistence_) >= kInsistence) ConcludeAtOnce(Ending::kReboot);
  Ask(kCtrlAltDel, Ending::kReboot);
}

}  // namespace nodecore::init
