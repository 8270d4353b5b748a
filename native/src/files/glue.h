// The JavaScript functions around files. No logic, no checks of arguments.
#pragma once

#include <napi.h>

namespace nodecore::files {

void Define(Napi::Env env, Napi::Object exports);

}  // namespace nodecore::files
