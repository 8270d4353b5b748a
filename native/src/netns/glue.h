// The JavaScript functions around sockets of other network namespaces. No logic, no checks of arguments.
#pragma once

#include <napi.h>

namespace nodecore::netns {

void Define(Napi::Env env, Napi::Object exports);

}  // namespace nodecore::netns
