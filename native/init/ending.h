// The end of the running system. It comes also where a disk does not answer: children do what may hang.
#pragma once

#include <string>

#include "agent.h"
#include "watchdog.h"

namespace nodecore::init {

// kKexec starts the kernel that the agent has loaded, without the firmware.
enum class Ending { kReboot, kKexec, kPowerOff, kHalt };

// Syncs, ends every process (SIGTERM, ten seconds, SIGKILL), unmounts what it can, and calls reboot(2). A disk has five minutes in
// all to take what is written back. The watchdog is fed meanwhile.
[[noreturn]] void End(Ending ending, Agent& agent, Watchdog& watchdog);

// Kills every process, syncs, makes filesystems read-only and calls reboot(2), within five seconds: for a user who insists. A
// machine without a loaded kernel goes through the firmware.
[[noreturn]] void EndAtOnce(Ending ending, Watchdog& watchdog);

// As End with kReboot, and leaves the reason to the next boot.
[[noreturn]] void EndFailed(const std::string& why, Agent& agent, Watchdog& watchdog);

}  // namespace nodecore::init
