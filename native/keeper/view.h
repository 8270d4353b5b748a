// What a program sees of the machine's files.
#pragma once

#include "options.h"

namespace nodecore::keeper {

// Makes the calling process see the files of `options`, and nobody else. @returns 0, or the errno of what the kernel refuses.
int EnterView(const Options& options);

}  // namespace nodecore::keeper
