// The JavaScript handles of snapshots. No logic, no checks of arguments.
#pragma once

#include <napi.h>

namespace nodecore::snapshot {

void Define(Napi::Env env, Napi::Object exports);

}  // namespace nodecore::snapshot
