// PID 1's loop in an ordinary process, for tests. Where PID 1 would end the machine, it prints how and exits. Code that could do
// more is not linked into the program.
#include <unistd.h>

#include <cstdio>

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

}  // namespace

namespace nodecore::init {

void Supervise(const char* arguments) {
  const Conclusion conclusion = {[](Ending ending, Agent&) { Tell("orderly", ending); },
                                 [](Ending ending) { Tell("at once", ending); }};
  Supervisor(arguments, conclusion).Run();
}

}  // namespace nodecore::init
