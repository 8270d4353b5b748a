// The mount namespace of a program.
#pragma once

#include "options.h"

namespace nodecore::keeper {

// Gives the calling process a mount namespace as `options` say. @returns 0, or the errno of the call that failed.
int EnterView(const Options& options);

}  // namespace nodecore::keeper
