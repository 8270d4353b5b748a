// The JavaScript handles of captures. No logic, no checks of arguments.
#pragma once

#include <napi.h>

namespace nodecore::packet {

void Define(Napi::Env env, Napi::Object exports);

}  // namespace nodecore::packet
