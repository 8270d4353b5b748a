// PID 1's loop in an ordinary process, for tests. Where PID 1 would end the machine, it prints how and exits. Code that could do
// more is not linked into the program.
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "fatal.h"
#include "supervisor.h"

namespace nodecore::init {

void Fatal(const char* format, ...) {
  fputs(format, stderr);
  _exit(1);
}

}  // namespace nodecore::init

namespace {

using namespace nodecore::init;

void Tell(const char* how, Ending ending) {
  constexpr const char* kNames[] = {"reboot", "kexec", "poweroff", "halt"};
  std::printf("%s %s\n", how, kNames[static_cast<int>(ending)]);
  std::fflush(stdout);
  _exit(0);
}

[[noreturn]] void Failed(const std::string& why) {
  std::printf("failed: %s\n", why.c_str());
  std::fflush(stdout);
  _exit(0);
}

}  // namespace

namespace nodecore::init {

void Supervise(const char* arguments, Milliseconds start) {
  // Orphans come to this process, as they do to PID 1.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const Conclusion conclusion = {[](Ending ending, Agent&, Watchdog&) { Tell("orderly", ending); },
                                 [](Ending ending, Watchdog&) { Tell("at once", ending); },
                                 [](const std::string& why, Agent&, Watchdog&) { Failed(why); }};
  Supervisor(arguments, conclusion, start).Run();
}

}  // namespace nodecore::init
