// PID 1 of the node OS: lays the root, starts the agent, keeps it running, and alone ends the machine.
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

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

using namespace nodecore::init;

namespace {

// A panic of the kernel is no end for ever, either, unless somebody asked for it.
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
  LayRoot();
  EnterPhase(kLeaveInitrd);
  EnterRoot();
  Log("the root is laid");
  MountRuntime();
  LoopbackUp();
  LoadModules();
  Log("drivers are loaded");
  EnterPhase(kEnterMachined);
  // From here on ctrl-alt-del is a signal to us, and no reset.
  reboot(RB_DISABLE_CAD);
  Supervisor("/usr/lib/nodeos/agent.arguments", {End, EndAtOnce}).Run();
}
