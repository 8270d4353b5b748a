// The JavaScript handles of questions about processes and sockets. No logic, no checks of arguments.
#pragma once

#include <napi.h>

namespace nodecore::inspect {

void Define(Napi::Env env, Napi::Object exports);

}  // namespace nodecore::inspect
