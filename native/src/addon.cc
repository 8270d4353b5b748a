// The glue: JavaScript handles around the core's objects. No logic, no checks of arguments: index.ts is the only caller.

#include <napi.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "inotify/inotify.h"
#include "pages/page_reader.h"
#include "poll/waiter.h"
#include "uevent/uevent_socket.h"

namespace nodecore {

namespace {

// The one place where a C++ failure becomes a JavaScript error. It carries facts: index.ts owns the wording.
Napi::Error ToError(Napi::Env env, const SysError& failure) {
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

// What all three have in common: a core object with a descriptor to wait on. Destroyed in this order: the poll handle,
// then the object with its descriptor.
template <typename Self, typename Core>
class Handle : public Napi::ObjectWrap<Self> {
 public:
  Handle(const Napi::CallbackInfo& info, std::expected<Core, SysError> core)
      : Napi::ObjectWrap<Self>(info), core_(OrThrow(info.Env(), std::move(core))) {
    waiter_ = std::make_unique<poll::Waiter>(info.Env(), core_->fd(), [this] {
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
  std::optional<Core> core_;

 private:
  std::unique_ptr<poll::Waiter> waiter_;
};

class UeventSocket : public Handle<UeventSocket, uevent::UeventSocket> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "UeventSocket",
                       {InstanceMethod("wait", &UeventSocket::Wait), InstanceMethod("keepAlive", &UeventSocket::KeepAlive), InstanceMethod("receive", &UeventSocket::Receive),
                        InstanceMethod("close", &UeventSocket::Close)});
  }

  explicit UeventSocket(const Napi::CallbackInfo& info)
      : Handle(info, uevent::UeventSocket::Open(info[0].As<Napi::Number>().Int32Value())) {}

  Napi::Value Receive(const Napi::CallbackInfo& info) {
    const auto batch = OrThrow(info.Env(), core_->Receive());
    auto messages = Napi::Array::New(info.Env(), batch.messages.size());
    for (std::uint32_t i = 0; i < batch.messages.size(); ++i) {
      messages[i] = Napi::Buffer<char>::Copy(info.Env(), batch.messages[i].data(), batch.messages[i].size());
    }
    auto result = Napi::Object::New(info.Env());
    result["messages"] = messages;
    result["overflowed"] = Napi::Boolean::New(info.Env(), batch.overflowed);
    return result;
  }
};

class Inotify : public Handle<Inotify, inotify::Inotify> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "Inotify",
                       {InstanceMethod("wait", &Inotify::Wait), InstanceMethod("keepAlive", &Inotify::KeepAlive), InstanceMethod("receive", &Inotify::Receive),
                        InstanceMethod("add", &Inotify::Add), InstanceMethod("remove", &Inotify::Remove),
                        InstanceMethod("close", &Inotify::Close)});
  }

  explicit Inotify(const Napi::CallbackInfo& info) : Handle(info, inotify::Inotify::Open()) {}

  Napi::Value Add(const Napi::CallbackInfo& info) {
    const std::string path = info[0].As<Napi::String>();
    return Napi::Number::New(info.Env(),
                             OrThrow(info.Env(), core_->Add(path, info[1].As<Napi::Number>().Uint32Value())));
  }

  void Remove(const Napi::CallbackInfo& info) {
    OrThrow(info.Env(), core_->Remove(info[0].As<Napi::Number>().Int32Value()));
  }

  Napi::Value Receive(const Napi::CallbackInfo& info) {
    const auto events = OrThrow(info.Env(), core_->Receive());
    auto result = Napi::Array::New(info.Env(), events.size());
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      auto event = Napi::Object::New(info.Env());
      event["watch"] = Napi::Number::New(info.Env(), events[i].watch);
      event["mask"] = Napi::Number::New(info.Env(), events[i].mask);
      event["name"] = Napi::String::New(info.Env(), events[i].name);
      result[i] = event;
    }
    return result;
  }
};

class PageReader : public Handle<PageReader, pages::PageReader> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "PageReader",
                       {InstanceMethod("wait", &PageReader::Wait), InstanceMethod("keepAlive", &PageReader::KeepAlive), InstanceMethod("receive", &PageReader::Receive),
                        InstanceMethod("open", &PageReader::Open), InstanceMethod("finish", &PageReader::Finish),
                        InstanceMethod("abandon", &PageReader::Abandon),
                        InstanceMethod("close", &PageReader::Close)});
  }

  explicit PageReader(const Napi::CallbackInfo& info)
      : Handle(info, pages::PageReader::Open(info[0].As<Napi::Number>().Uint32Value())) {}

  void Open(const Napi::CallbackInfo& info) {
    pages::OpenTask task{info[1].As<Napi::String>(), {}, info[3].As<Napi::Boolean>().Value(), std::nullopt};
    const auto windows = info[2].As<Napi::BigUint64Array>();
    for (std::size_t i = 0; i < windows.ElementLength(); i += 2) task.windows.push_back({windows[i], windows[i + 1]});
    if (!info[4].IsUndefined()) {
      const auto known = info[4].As<Napi::BigUint64Array>();
      task.known = pages::Digest{known[0], known[1]};
    }
    core_->Submit(info[0].As<Napi::Number>().Uint32Value(), std::move(task));
  }

  void Finish(const Napi::CallbackInfo& info) {
    core_->SubmitClose(info[0].As<Napi::Number>().Uint32Value(), info[1].As<Napi::Number>().Int32Value());
  }

  Napi::Value Abandon(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), core_->Abandon(info[0].As<Napi::Number>().Uint32Value()));
  }

  Napi::Value Receive(const Napi::CallbackInfo& info) {
    const auto replies = core_->Receive();
    auto result = Napi::Array::New(info.Env(), replies.size());
    for (std::uint32_t i = 0; i < replies.size(); ++i) result[i] = ToObject(info.Env(), replies[i]);
    return result;
  }

 private:
  static Napi::Value ToObject(Napi::Env env, const pages::Reply& reply) {
    auto object = Napi::Object::New(env);
    object["id"] = Napi::Number::New(env, reply.id);
    if (const auto* failure = std::get_if<SysError>(&reply.result)) {
      object["error"] = ToError(env, *failure).Value();
    } else if (const auto* opened = std::get_if<pages::Opened>(&reply.result)) {
      object["fd"] = Napi::Number::New(env, reply.lent);
      object["sizeBytes"] = Napi::BigInt::New(env, opened->size_bytes);
      object["windowPages"] = Napi::Number::New(env, static_cast<double>(opened->window_pages));
      auto digest = Napi::BigUint64Array::New(env, opened->digest.size());
      for (std::size_t i = 0; i < opened->digest.size(); ++i) digest[i] = opened->digest[i];
      object["digest"] = digest;
      object["cachedPages"] = ToNumber(env, opened->cached);
    } else {
      object["cachedPages"] = ToNumber(env, std::get<pages::CachedPages>(reply.result));
    }
    return object;
  }

  static Napi::Value ToNumber(Napi::Env env, const pages::CachedPages& pages) {
    return pages ? Napi::Number::New(env, static_cast<double>(*pages)) : env.Undefined();
  }
};

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  // libuv 1 promises that its structures keep their sizes; a Node that breaks the promise must not load us.
  if (uv_handle_size(UV_POLL) != sizeof(uv_poll_t)) throw Napi::Error::New(env, "uv_poll_t has another size");
  exports["UeventSocket"] = UeventSocket::Define(env);
  exports["Inotify"] = Inotify::Define(env);
  exports["PageReader"] = PageReader::Define(env);
  return exports;
}

}  // namespace

}  // namespace nodecore

// The macro wants a function at global scope.
static Napi::Object InitAll(Napi::Env env, Napi::Object exports) { return nodecore::Init(env, exports); }
NODE_API_MODULE(nodecore, InitAll)
