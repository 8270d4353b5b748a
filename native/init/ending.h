// The end of the running system.
#pragma once

#include "agent.h"

namespace nodecore::init {

// kKexec starts the kernel that the agent has loaded, without the firmware.
enum class Ending { kReboot, kKexec, kPowerOff, kHalt };

// Syncs, ends every process (SIGTERM, ten seconds, SIGKILL), unmounts what it can, and calls reboot(2).
[[noreturn]] void End(Ending ending, Agent& agent);

// Syncs and calls reboot(2) at once: for a user who insists. A machine without a loaded kernel goes through the firmware.
[[noreturn]] void EndAtOnce(Ending ending);

}  // namespace nodecore::init
