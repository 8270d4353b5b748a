#include "ending.h"

#include <poll.h>
#include <sys/reboot.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <vector>

#include "children.h"
#include "files.h"
#include "kmsg.h"
#include "mounts.h"
#include "reason.h"
#include "text.h"

namespace nodecore::init {

namespace {

constexpr Milliseconds kGrace = 10'000;
constexpr Milliseconds kAfterKill = 2'000;
constexpr int kLook = 50;
// Gigabytes that a slow disk has to take are no reason to lose them.
constexpr Milliseconds kWriteBack = 5 * 60'000;
// A disk that has kept others waiting for so long may be the only one that hangs.
constexpr Milliseconds kLeast = 10'000;
// Both are within the five seconds of an end at once.
constexpr Milliseconds kAtOnceKill = 1'000;
constexpr Milliseconds kAtOnceWriteBack = 4'000;
// The kernel stops its devices; flushing the cache of a disk that does not answer takes the longest.
constexpr Milliseconds kDevices = 2 * 60'000;

const char* NameOf(Ending ending) {
  if (ending == Ending::kReboot) return "begins anew";
  if (ending == Ending::kKexec) return "begins anew, without the firmware";
  return ending == Ending::kPowerOff ? "switches off" : "halts";
}

using Look = std::function<void()>;

Look Feeding(Watchdog& watchdog) {
  return [&watchdog] { watchdog.Keep(Now()); };
}

// Waits until no process is left and reads what the agent prints meanwhile. @returns whether none is left.
bool WaitForAll(Milliseconds limit, Agent* agent, const Look& look) {
  const Milliseconds deadline = Now() + limit;
  for (;;) {
    const pid_t child = waitpid(-1, nullptr, WNOHANG);
    if (child < 0 && errno == ECHILD) return true;
    if (child > 0 && agent != nullptr && child == agent->pid()) agent->Ended();
    if (child > 0) continue;
    if (Now() >= deadline) return false;
    pollfd output{agent != nullptr ? agent->output() : -1, POLLIN, 0};
    poll(&output, 1, kLook);
    if (agent != nullptr) agent->ReadOutput();
    look();
  }
}

void SwapOff() {
  for (const auto& line : Lines(ReadFile("/proc/swaps").value_or("")))
    if (line.starts_with('/')) swapoff(line.substr(0, line.find_first_of(" \t")).c_str());
}

// Each filesystem by a child of its own: one that hangs keeps no other from being whole.
void MakeReadOnly(const Look& look) {
  std::vector<std::function<void()>> works{[] { sync(); }};
  for (const auto& path : OurMounts())
    works.push_back([path] {
      WriteBack(path);
      RemountReadOnly(path);
    });
  if (!InChildren(works, kAtOnceWriteBack, look)) Log("a disk does not answer: not all is written back");
}

void EndProcesses(Agent& agent, const Look& look) {
  kill(-1, SIGTERM);
  if (WaitForAll(kGrace, &agent, look)) return;
  Log("some processes have not ended: they are killed");
  kill(-1, SIGKILL);
  WaitForAll(kAfterKill, &agent, look);
}

void EndInOrder(Agent& agent, const Look& look) {
  const SharedTime time(Now() + kWriteBack, kLeast);
  if (!InChildren({[] { sync(); }}, time.Left(Now()), look)) Log("a disk does not answer: the machine ends without it");
  EndProcesses(agent, look);
  const auto unmount = [] {
    SwapOff();
    UnmountAll();
    sync();
  };
  if (!InChildren({unmount}, time.Left(Now()), look)) MakeReadOnly(look);
}

void CallKernel(Ending ending) {
  if (ending == Ending::kPowerOff) reboot(RB_POWER_OFF);
  if (ending == Ending::kHalt) reboot(RB_HALT_SYSTEM);
  if (ending == Ending::kKexec) {
    reboot(RB_KEXEC);
    Log("no other kernel starts (%s): the firmware does it", strerror(errno));
  }
  reboot(RB_AUTOBOOT);
  Log("reboot: %s", strerror(errno));
}

// In a child as well: a driver may hang when the kernel stops its device.
[[noreturn]] void CallKernelInTime(Ending ending, const Look& look) {
  InChildren({[ending] { CallKernel(ending); }}, kDevices, look);
  Log("the kernel does not come to its end");
  if (ending == Ending::kReboot || ending == Ending::kKexec) WriteFile("/proc/sysrq-trigger", "b");
  if (ending == Ending::kPowerOff) WriteFile("/proc/sysrq-trigger", "o");
  for (;;) pause();
}

}  // namespace

void End(Ending ending, Agent& agent, Watchdog& watchdog) {
  Log("the machine %s", NameOf(ending));
  const auto look = Feeding(watchdog);
  EndInOrder(agent, look);
  CallKernelInTime(ending, look);
}

void EndAtOnce(Ending ending, Watchdog& watchdog) {
  Log("the machine %s at once", NameOf(ending));
  const auto look = Feeding(watchdog);
  // What still writes would keep its filesystem from being made read-only.
  kill(-1, SIGKILL);
  WaitForAll(kAtOnceKill, nullptr, look);
  MakeReadOnly(look);
  CallKernelInTime(ending, look);
}

void EndFailed(const std::string& why, Agent& agent, Watchdog& watchdog) {
  Log("the machine %s: %s", NameOf(Ending::kReboot), why.c_str());
  const auto look = Feeding(watchdog);
  EndInOrder(agent, look);
  LeaveReason(why);
  CallKernelInTime(Ending::kReboot, look);
}

}  // namespace nodecore::init
