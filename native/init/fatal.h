// A boot that cannot continue.
#pragma once

namespace nodecore::init {

// Says why, and has the machine begin anew after a pause in which somebody can read it: as long as panic=SECONDS of the kernel's
// command line says, 10 s without it, for ever with panic=0. The reason is left to the next boot. PID 1 never returns, which would be a
// panic without a reason.
[[noreturn, gnu::format(printf, 1, 2)]] void Fatal(const char* format, ...);

}  // namespace nodecore::init
