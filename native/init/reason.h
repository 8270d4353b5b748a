// Why a boot has failed, for whoever looks at it from the next one.
#pragma once

#include <string_view>

namespace nodecore::init {

// Logs why, and has the kernel write the end of its log to pstore when it restarts the machine: into variables of the firmware, or
// where the platform keeps errors. It leaves an earlier report that nobody has read: a boot that fails again and again must not
// fill the firmware, and the first reason is the one to know. Without pstore nothing stays.
void LeaveReason(std::string_view why);

}  // namespace nodecore::init
