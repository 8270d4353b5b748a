// The JavaScript handles of cgroup trees and pressure triggers. No logic, no checks of arguments.
#pragma once

#include <napi.h>

namespace nodecore::cgroupfs {

void Define(Napi::Env env, Napi::Object exports);

}  // namespace nodecore::cgroupfs
