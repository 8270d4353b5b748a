#include "netns/glue.h"

#include <functional>
#include <string>
#include <utility>

#include "addon/handle.h"
#include "netns/connection.h"
#include "netns/socket.h"

namespace nodecore::netns {

namespace {

using Made = std::expected<Descriptor, SysError>;

// Makes a socket on a thread of Node's pool. A socket that nobody is told of is closed.
class Making : public Napi::AsyncWorker {
 public:
  static Napi::Value Start(Napi::Env env, std::function<Made()> make) {
    auto* const making = new Making(env, std::move(make));
    making->Queue();
    return making->deferred_.Promise();
  }

 private:
  Making(Napi::Env env, std::function<Made()> make) : AsyncWorker(env), deferred_(env), make_(std::move(make)) {}

  void Execute() override { made_ = make_(); }

  void OnOK() override {
    if (made_) {
      deferred_.Resolve(Napi::Number::New(Env(), made_->Release()));
    } else {
      deferred_.Reject(ToError(Env(), made_.error()).Value());
    }
  }

  Napi::Promise::Deferred deferred_;
  std::function<Made()> make_;
  Made made_;
};

Namespace NamespaceOf(const Napi::CallbackInfo& info) { return {.network = PathOf(info[0]), .user = PathOf(info[1])}; }

Napi::Value AtEndpoint(const Napi::CallbackInfo& info, Made (*make)(const Namespace&, const Endpoint&)) {
  const auto endpoint = OrThrow(info.Env(), ToEndpoint(info[2].As<Napi::String>(), static_cast<std::uint16_t>(info[3].As<Napi::Number>().Uint32Value())));
  return Making::Start(info.Env(), [=, where = NamespaceOf(info)] { return make(where, endpoint); });
}

class ConnectionHandle : public Handle<ConnectionHandle, Connection> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "Connection",
                       {InstanceMethod("wait", &ConnectionHandle::Wait), InstanceMethod("keepAlive", &ConnectionHandle::KeepAlive),
                        InstanceMethod("take", &ConnectionHandle::Take), InstanceMethod("close", &ConnectionHandle::Close)});
  }

  explicit ConnectionHandle(const Napi::CallbackInfo& info)
      : Handle(info, Connection::Open(Descriptor(info[0].As<Napi::Number>().Int32Value()))) {}

  Napi::Value Take(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), OrThrow(info.Env(), core_->Take()));
  }
};

}  // namespace

void Define(Napi::Env env, Napi::Object exports) {
  exports["Connection"] = ConnectionHandle::Define(env);
  exports["listenIn"] = Napi::Function::New(
      env, [](const Napi::CallbackInfo& info) { return AtEndpoint(info, Listen); }, "listenIn");
  exports["dialIn"] = Napi::Function::New(
      env, [](const Napi::CallbackInfo& info) { return AtEndpoint(info, Dial); }, "dialIn");
  exports["datagramIn"] = Napi::Function::New(
      env,
      [](const Napi::CallbackInfo& info) {
        const int family = info[2].As<Napi::Boolean>() ? AF_INET6 : AF_INET;
        return Making::Start(info.Env(), [family, where = NamespaceOf(info)] { return Datagram(where, family); });
      },
      "datagramIn");
}

}  // namespace nodecore::netns
