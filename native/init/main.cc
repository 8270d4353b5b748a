// PID 1 of the node OS: mounts the root, starts the agent and keeps it running. Only PID 1 ends the machine.
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "ending.h"
#include "files.h"
#include "kmsg.h"
#include "modules.h"
#include "mounts.h"
#include "network.h"
#include "phases.h"
#include "root.h"
#include "supervisor.h"
#include "text.h"
#include "watchdog.h"

using namespace nodecore::init;

namespace {

// Restarts the machine 10 s after a kernel panic, unless the command line has panic=.
void RebootAfterPanic() {
  if (!Argument(ReadFile("/proc/cmdline").value_or(""), "panic")) WriteFile("/proc/sys/kernel/panic", "10\n");
}

}  // namespace

int main() {
  if (getpid() != 1) {
    fputs("init: this is the first process of the node OS, and does nothing as another one\n", stderr);
    return 1;
  }
  umask(022);
  MountKernel();
  OpenLog();
  Log("started");
  RebootAfterPanic();
  EnterPhase(kEnterInitrd);
  InsertEarlyModules();
  Watchdog watchdog;
  const int seconds = BootSeconds(ReadFile("/proc/cmdline").value_or(""));
  const auto guard = [&] { watchdog.Guard(seconds, Now()); };
  guard();
  LayRoot();
  EnterPhase(kLeaveInitrd);
  EnterRoot();
  Log("the root is laid");
  MountRuntime();
  LoopbackUp();
  // Called during the load as well: one driver may hang after another has brought a watchdog.
  LoadModules(guard);
  Log("drivers are loaded");
  EnterPhase(kEnterMachined);
  // From here on ctrl-alt-del is a signal to PID 1 and does not reset the machine.
  reboot(RB_DISABLE_CAD);
  Supervisor("/usr/lib/nodeos/agent.arguments", {End, EndAtOnce, EndFailed}, StartWith(seconds), std::move(watchdog)).Run();
}
