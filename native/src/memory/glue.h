// The JavaScript functions around memory for keys. No logic, no checks of arguments.
#pragma once

#include <napi.h>

namespace nodecore::memory {

void Define(Napi::Env env, Napi::Object exports);

}  // namespace nodecore::memory
