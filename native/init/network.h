// The one interface that PID 1 switches on.
#pragma once

namespace nodecore::init {

void LoopbackUp();

}  // namespace nodecore::init
