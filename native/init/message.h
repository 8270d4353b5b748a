// Messages between PID 1 and the agent: an ASCII word in each datagram of a SOCK_SEQPACKET pair.
#pragma once

#include <optional>
#include <string_view>

namespace nodecore::init {

// From the agent.
enum class Message { kAlive, kBlessed, kReboot, kKexec, kPowerOff, kHalt, kForceReboot, kForcePowerOff, kForceHalt, kWatchdog };

// To the agent.
inline constexpr std::string_view kPowerButton = "power-button";
inline constexpr std::string_view kCtrlAltDel = "ctrl-alt-del";

// Nothing for an unknown word: a later agent may send more.
std::optional<Message> ParseMessage(std::string_view datagram);

}  // namespace nodecore::init
