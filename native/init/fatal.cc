#include "fatal.h"

#include <sys/reboot.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

#include "files.h"
#include "kmsg.h"
#include "reason.h"
#include "text.h"

namespace nodecore::init {

namespace {

constexpr int kPauseSeconds = 10;

int PauseSeconds() {
  const auto given = Argument(ReadFile("/proc/cmdline").value_or(""), "panic");
  return given ? Number(*given).value_or(kPauseSeconds) : kPauseSeconds;
}

}  // namespace

void Fatal(const char* format, ...) {
  char reason[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  const int seconds = PauseSeconds();
  Log("the system can not start: %s", reason);
  // Write to the console too: the kernel's own lines may be hidden by `quiet`.
  dprintf(STDERR_FILENO, "\nThe system can not start: %s\n", reason);
  sync();
  if (seconds == 0) {
    dprintf(STDERR_FILENO, "It stays as it is (panic=0).\n");
    for (;;) pause();
  }
  dprintf(STDERR_FILENO, "It begins anew in %d seconds.\n", seconds);
  for (int left = seconds; left > 0;) left = static_cast<int>(sleep(static_cast<unsigned>(left)));
  LeaveReason(reason);
  reboot(RB_AUTOBOOT);
  for (;;) pause();
}

}  // namespace nodecore::init
