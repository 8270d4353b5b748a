// The loopback interface, the only one that PID 1 brings up.
#pragma once

namespace nodecore::init {

void LoopbackUp();

}  // namespace nodecore::init
