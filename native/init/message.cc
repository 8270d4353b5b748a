#include "message.h"

#include "watchdog.h"

namespace nodecore::init {

std::optional<Message> ParseMessage(std::string_view datagram) {
  if (datagram == "alive") return Message::kAlive;
  if (datagram == "blessed") return Message::kBlessed;
  if (datagram == "reboot") return Message::kReboot;
  if (datagram == "kexec") return Message::kKexec;
  if (datagram == "poweroff") return Message::kPowerOff;
  if (datagram == "halt") return Message::kHalt;
  if (datagram == "force-reboot") return Message::kForceReboot;
  if (datagram == "force-poweroff") return Message::kForcePowerOff;
  if (datagram == "force-halt") return Message::kForceHalt;
  if (ParseWatchdog(datagram)) return Message::kWatchdog;
  return std::nullopt;
}

}  // namespace nodecore::init
