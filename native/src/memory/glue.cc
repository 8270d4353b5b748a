#include "memory/glue.h"

#include <cstddef>

#include "addon/handle.h"
#include "memory/process.h"
#include "memory/secret_pages.h"

namespace nodecore::memory {

namespace {

// The block is given back when V8 has collected the buffer and nobody can look at it any more, never before.
Napi::Value SecretMemory(const Napi::CallbackInfo& info) {
  const auto size = static_cast<std::size_t>(info[0].As<Napi::Number>().Int64Value());
  auto* const block = OrThrow(info.Env(), SecretPages::OfProcess().Take(size));
  return Napi::ArrayBuffer::New(info.Env(), block, size, [size](Napi::BasicEnv, void* block) {
    SecretPages::OfProcess().GiveBack(static_cast<std::byte*>(block), size);
  });
}

Napi::Value SecretMemoryLockFailure(const Napi::CallbackInfo& info) {
  const auto failure = SecretPages::OfProcess().LockFailure();
  return failure ? ToError(info.Env(), *failure).Value() : info.Env().Undefined();
}

}  // namespace

void Define(Napi::Env env, Napi::Object exports) {
  exports["secretMemory"] = Napi::Function::New<SecretMemory>(env, "secretMemory");
  exports["secretMemoryLockFailure"] = Napi::Function::New<SecretMemoryLockFailure>(env, "secretMemoryLockFailure");
  exports["forbidDumps"] = Napi::Function::New(
      env, [](const Napi::CallbackInfo& info) { OrThrow(info.Env(), ForbidDumps()); }, "forbidDumps");
  exports["wipeFreedMemory"] =
      Napi::Function::New(env, [](const Napi::CallbackInfo&) { WipeFreedMemory(); }, "wipeFreedMemory");
  exports["wipeTraces"] = Napi::Function::New(env, [](const Napi::CallbackInfo&) { WipeTraces(); }, "wipeTraces");
}

}  // namespace nodecore::memory
