// The end of the running system.
#pragma once

#include "agent.h"

namespace nodecore::init {

enum class Ending { kReboot, kPowerOff, kHalt };

// Writes back, ends every process (SIGTERM, ten seconds, SIGKILL), unmounts what can be, and calls reboot(2).
[[noreturn]] void End(Ending ending, Agent& agent);

// Writes back and calls reboot(2): somebody insists.
[[noreturn]] void EndAtOnce(Ending ending);

}  // namespace nodecore::init
