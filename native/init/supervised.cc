// PID 1's loop over an agent, in a process like any other. Where PID 1 would end the machine this prints how, and ends itself;
// nothing that can do more is part of the program.
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
  constexpr const char* kNames[] = {"reboot", "poweroff", "halt"};
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
