// What the glue of every subject needs: failures as JavaScript errors, and objects with a descriptor to wait on.
#pragma once

#include <napi.h>

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "core/sys_error.h"
#include "poll/waiter.h"

namespace nodecore {

// The one place where a C++ failure becomes a JavaScript error. It carries facts: index.ts owns the wording.
inline Napi::Error ToError(Napi::Env env, const SysError& failure) {
  Napi::Error error = Napi::Error::New(env, failure.syscall);
  error.Set("errno", Napi::Number::New(env, failure.number));
  error.Set("syscall", Napi::String::New(env, failure.syscall));
  return error;
}

template <typename T>
T OrThrow(Napi::Env env, std::expected<T, SysError> result) {
  if (!result) throw ToError(env, result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// A path as system calls take it. They would end it at a NUL, and use another file than the one that was named.
inline std::string PathOf(const Napi::Value& value) {
  std::string path = value.As<Napi::String>();
  if (!path.contains('\0')) return path;
  const Napi::TypeError error = Napi::TypeError::New(value.Env(), "a path has no NUL");
  error.Set("code", Napi::String::New(value.Env(), "ERR_INVALID_ARG_VALUE"));
  throw error;
}

// What handles have in common: a core object with a descriptor to wait on. Destroyed in this order: the poll handle,
// then the object with its descriptor.
template <typename Self, typename Core, typename Waiter = poll::Waiter>
class Handle : public Napi::ObjectWrap<Self> {
 public:
  Handle(const Napi::CallbackInfo& info, std::expected<Core, SysError> core)
      : Napi::ObjectWrap<Self>(info), core_(OrThrow(info.Env(), std::move(core))) {
    waiter_ = std::make_unique<Waiter>(info.Env(), core_->fd(), [this] {
      waiter_.reset();
      core_.reset();
    });
  }

  Napi::Value Wait(const Napi::CallbackInfo& info) { return waiter_->Wait(info.This().As<Napi::Object>()); }

  void KeepAlive(const Napi::CallbackInfo& info) { waiter_->KeepAlive(info[0].As<Napi::Boolean>().Value()); }

  void Close(const Napi::CallbackInfo&) {
    if (waiter_) waiter_->Answer(false);
    waiter_.reset();
    core_.reset();
  }

 protected:
  // Wakes waiters, which look again.
  void Wake() {
    if (waiter_) waiter_->Wake();
  }

  std::optional<Core> core_;

 private:
  std::unique_ptr<Waiter> waiter_;
};

}  // namespace nodecore
