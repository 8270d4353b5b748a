#include "inspect/glue.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "addon/handle.h"
#include "core/question.h"
#include "inspect/clocks.h"
#include "inspect/processes.h"
#include "inspect/sockets.h"

namespace nodecore::inspect {

namespace {

Napi::Value ToObject(Napi::Env env, Table table) {
  auto object = Napi::Object::New(env);
  auto numbers = Napi::Float64Array::New(env, table.numbers.size());
  if (!table.numbers.empty()) std::memcpy(numbers.Data(), table.numbers.data(), table.numbers.size() * sizeof(double));
  auto ends = Napi::Uint32Array::New(env, table.ends.size());
  if (!table.ends.empty()) std::memcpy(ends.Data(), table.ends.data(), table.ends.size() * sizeof(std::uint32_t));
  object["numbers"] = numbers;
  object["ends"] = ends;
  object["text"] = Napi::Buffer<char>::Copy(env, table.text.data(), table.text.size());
  return object;
}

template <typename Self>
class Asked : public Handle<Self, Question<Table>> {
 public:
  using Handle<Self, Question<Table>>::Handle;

  Napi::Value Receive(const Napi::CallbackInfo& info) {
    auto result = this->core_->Receive();
    if (!result) return info.Env().Undefined();
    return ToObject(info.Env(), OrThrow(info.Env(), std::move(*result)));
  }
};

class Processes : public Asked<Processes> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "Processes",
                       {InstanceMethod("wait", &Processes::Wait), InstanceMethod("keepAlive", &Processes::KeepAlive),
                        InstanceMethod("receive", &Processes::Receive), InstanceMethod("close", &Processes::Close)});
  }

  explicit Processes(const Napi::CallbackInfo& info)
      : Asked(info, Question<Table>::Ask([proc = PathOf(info[0])](const std::atomic<bool>& cancelled) { return ReadProcesses(proc, cancelled); })) {}
};

class Sockets : public Asked<Sockets> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "Sockets",
                       {InstanceMethod("wait", &Sockets::Wait), InstanceMethod("keepAlive", &Sockets::KeepAlive),
                        InstanceMethod("receive", &Sockets::Receive), InstanceMethod("close", &Sockets::Close)});
  }

  explicit Sockets(const Napi::CallbackInfo& info)
      : Asked(info, Question<Table>::Ask([question = ToQuestion(info)](const std::atomic<bool>& cancelled) { return ReadSockets(question, cancelled); })) {}

 private:
  static SocketQuestion ToQuestion(const Napi::CallbackInfo& info) {
    return {
        .protocols = info[1].As<Napi::Number>().Uint32Value(),
        .filter = static_cast<SocketFilter>(info[2].As<Napi::Number>().Uint32Value()),
        .processes = info[3].As<Napi::Boolean>(),
        .proc = PathOf(info[0]),
    };
  }
};

class TimeServer : public Asked<TimeServer> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "TimeServer",
                       {InstanceMethod("wait", &TimeServer::Wait), InstanceMethod("keepAlive", &TimeServer::KeepAlive),
                        InstanceMethod("receive", &TimeServer::Receive), InstanceMethod("close", &TimeServer::Close)});
  }

  explicit TimeServer(const Napi::CallbackInfo& info)
      : Asked(info, Question<Table>::Ask([question = ToQuestion(info)](const std::atomic<bool>& cancelled) { return AskTime(question, cancelled); })) {}

 private:
  static TimeQuestion ToQuestion(const Napi::CallbackInfo& info) {
    const auto packet = info[2].As<Napi::Buffer<char>>();
    return {
        .address = info[0].As<Napi::String>(),
        .port = info[1].As<Napi::String>(),
        .packet = std::string(packet.Data(), packet.Length()),
        .patience_millis = info[3].As<Napi::Number>().Int32Value(),
    };
  }
};

class HardwareClock : public Asked<HardwareClock> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "HardwareClock",
                       {InstanceMethod("wait", &HardwareClock::Wait), InstanceMethod("keepAlive", &HardwareClock::KeepAlive),
                        InstanceMethod("receive", &HardwareClock::Receive), InstanceMethod("close", &HardwareClock::Close)});
  }

  explicit HardwareClock(const Napi::CallbackInfo& info)
      : Asked(info, Question<Table>::Ask([path = PathOf(info[0])](const std::atomic<bool>&) { return ReadHardwareClock(path); })) {}
};

}  // namespace

void Define(Napi::Env env, Napi::Object exports) {
  exports["Processes"] = Processes::Define(env);
  exports["Sockets"] = Sockets::Define(env);
  exports["TimeServer"] = TimeServer::Define(env);
  exports["HardwareClock"] = HardwareClock::Define(env);
}

}  // namespace nodecore::inspect
