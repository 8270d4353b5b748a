#include "ending.h"

#include <poll.h>
#include <sys/reboot.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "files.h"
#include "kmsg.h"
#include "mounts.h"
#include "text.h"

namespace nodecore::init {

namespace {

constexpr Milliseconds kGrace = 10'000;
constexpr Milliseconds kAfterKill = 2'000;
constexpr int kLook = 50;

const char* NameOf(Ending ending) {
  if (ending == Ending::kReboot) return "begins anew";
  if (ending == Ending::kKexec) return "begins anew, without the firmware";
  return ending == Ending::kPowerOff ? "switches off" : "halts";
}

// Waits until no process is left and logs what the agent prints meanwhile. @returns whether none is left.
bool WaitForAll(Milliseconds deadline, Agent& agent) {
  for (;;) {
    const pid_t child = waitpid(-1, nullptr, WNOHANG);
    if (child < 0 && errno == ECHILD) return true;
    if (child > 0 && child == agent.pid()) agent.Ended();
    if (child > 0) continue;
    if (Now() >= deadline) return false;
    pollfd output{agent.output(), POLLIN, 0};
    poll(&output, 1, kLook);
    agent.ReadOutput();
  }
}

void SwapOff() {
  for (const auto& line : Lines(ReadFile("/proc/swaps").value_or("")))
    if (line.starts_with('/')) swapoff(line.substr(0, line.find_first_of(" \t")).c_str());
}

}  // namespace

void End(Ending ending, Agent& agent) {
  Log("the machine %s", NameOf(ending));
  sync();
  kill(-1, SIGTERM);
  if (!WaitForAll(Now() + kGrace, agent)) {
    Log("some processes have not ended: they are killed");
    kill(-1, SIGKILL);
    WaitForAll(Now() + kAfterKill, agent);
  }
  SwapOff();
  UnmountAll();
  EndAtOnce(ending);
}

void EndAtOnce(Ending ending) {
  sync();
  if (ending == Ending::kPowerOff) reboot(RB_POWER_OFF);
  if (ending == Ending::kHalt) reboot(RB_HALT_SYSTEM);
  if (ending == Ending::kKexec) {
    reboot(RB_KEXEC);
    Log("no other kernel starts (%s): the firmware does it", strerror(errno));
  }
  reboot(RB_AUTOBOOT);
  Log("reboot: %s", strerror(errno));
  for (;;) pause();
}

}  // namespace nodecore::init
