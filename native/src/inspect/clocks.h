// Moments of other clocks beside that of this machine.
//
// Threads: any; it blocks.
#pragma once

#include <atomic>
#include <expected>
#include <string>

#include "core/sys_error.h"
#include "inspect/table.h"

namespace nodecore::inspect {

struct TimeQuestion {
  // As numbers, an interface behind a percent sign.
  std::string address;
  std::string port;
  // A packet of NTP, whose last eight bytes the answer has as those that it answers (RFC 5905, section 7.3).
  std::string packet;
  int patience_millis = 0;
};

// Numbers: microseconds since the epoch of CLOCK_REALTIME when the question was sent and when the answer came. Text: the answer.
// ETIMEDOUT when none comes, ECANCELED when the flag is set.
std::expected<Table, SysError> AskTime(const TimeQuestion& question, const std::atomic<bool>& cancelled);

// Numbers: the microseconds of CLOCK_REALTIME before and after, and those of the device between (PTP hardware clocks, clock_gettime(2)).
// ENODEV where the file is no such device.
std::expected<Table, SysError> ReadHardwareClock(const std::string& path);

}  // namespace nodecore::inspect
