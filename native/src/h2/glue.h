// A call of gRPC for JavaScript, and what else shows one to it.
#pragma once

#include <napi.h>

#include <cstddef>

#include "h2/call.h"

namespace nodecore::h2 {

// Five arguments: scheme, authority, path, body, and header fields as names and values by turns.
Request ToRequest(const Napi::CallbackInfo& info, std::size_t first);

// How it has ended, or what is known so far.
Napi::Object ToObject(Napi::Env env, const Call& call);

void Define(Napi::Env env, Napi::Object exports);

}  // namespace nodecore::h2
