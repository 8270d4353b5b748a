// The glue: JavaScript handles around the core's objects. No logic, no checks of arguments: index.ts is the only caller.

#include <napi.h>

#include <string>
#include <utility>

#include "addon/handle.h"
#include "cgroupfs/glue.h"
#include "files/glue.h"
#include "h2/glue.h"
#include "inotify/inotify.h"
#include "inspect/glue.h"
#include "memory/glue.h"
#include "netns/glue.h"
#include "packet/glue.h"
#include "probe/probe_queue.h"
#include "snapshot/glue.h"
#include "tpm/glue.h"
#include "uevent/uevent_socket.h"

namespace nodecore {

namespace {

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
    const std::string path = PathOf(info[0]);
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

class ProbeQueue : public Handle<ProbeQueue, probe::ProbeQueue> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "ProbeQueue",
                       {InstanceMethod("wait", &ProbeQueue::Wait), InstanceMethod("keepAlive", &ProbeQueue::KeepAlive),
                        InstanceMethod("receive", &ProbeQueue::Receive), InstanceMethod("submit", &ProbeQueue::Submit),
                        InstanceMethod("replace", &ProbeQueue::Replace), InstanceMethod("close", &ProbeQueue::Close)});
  }

  explicit ProbeQueue(const Napi::CallbackInfo& info)
      : Handle(info, probe::ProbeQueue::Open(info[0].As<Napi::Number>().Uint32Value())) {}

  void Submit(const Napi::CallbackInfo& info) {
    probe::Task task;
    task.path = PathOf(info[1]);
    const auto windows = info[2].As<Napi::BigUint64Array>();
    for (std::size_t i = 0; i < windows.ElementLength(); i += 2) task.windows.push_back({windows[i], windows[i + 1]});
    task.optical = info[3].As<Napi::Boolean>();
    task.digest = info[4].As<Napi::Boolean>();
    if (!info[5].IsUndefined()) {
      const auto known = info[5].As<Napi::BigUint64Array>();
      task.known = probe::Digest{known[0], known[1]};
    }
    if (!info[6].IsUndefined()) {
      const auto part = info[6].As<Napi::BigUint64Array>();
      task.part = probe::Window{part[0], part[1]};
    }
    task.find_written = !info[7].IsUndefined() && info[7].As<Napi::Boolean>();
    core_->Submit(info[0].As<Napi::Number>().Uint32Value(), std::move(task));
  }

  Napi::Value Replace(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), core_->Replace(info[0].As<Napi::Number>().Uint32Value()));
  }

  Napi::Value Receive(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const auto replies = core_->Receive();
    auto result = Napi::Array::New(env, replies.size());
    for (std::uint32_t i = 0; i < replies.size(); ++i) {
      auto object = Napi::Object::New(env);
      object["id"] = Napi::Number::New(env, replies[i].id);
      if (replies[i].result) {
        object["result"] = ToObject(env, *replies[i].result);
      } else {
        object["error"] = ToError(env, replies[i].result.error()).Value();
      }
      result[i] = object;
    }
    return result;
  }

 private:
  static Napi::Value ToObject(Napi::Env env, const probe::Result& result) {
    auto object = Napi::Object::New(env);
    object["outcome"] = Napi::Number::New(env, static_cast<int>(result.outcome));
    object["sizeBytes"] = Napi::BigInt::New(env, result.size_bytes);
    if (result.rests_on) {
      auto digest = Napi::BigUint64Array::New(env, result.rests_on->size());
      for (std::size_t i = 0; i < result.rests_on->size(); ++i) digest[i] = (*result.rests_on)[i];
      object["restsOn"] = digest;
    }
    if (result.written) object["written"] = ToObject(env, *result.written);
    if (result.judgement) object["judgement"] = ToObject(env, *result.judgement);
    return object;
  }

  static Napi::Value ToObject(Napi::Env env, const probe::Written& written) {
    auto object = Napi::Object::New(env);
    auto places = Napi::BigUint64Array::New(env, written.places.size());
    for (std::size_t i = 0; i < written.places.size(); ++i) places[i] = written.places[i];
    object["places"] = places;
    if (written.unreadable) {
      auto unreadable = Napi::Object::New(env);
      unreadable["offset"] = Napi::BigInt::New(env, written.unreadable->first);
      unreadable["errno"] = Napi::Number::New(env, written.unreadable->second);
      object["unreadable"] = unreadable;
    }
    return object;
  }

  static Napi::Value ToObject(Napi::Env env, const probe::Judgement& judgement) {
    auto object = Napi::Object::New(env);
    object["sectorSize"] = Napi::Number::New(env, judgement.sector_size);
    auto signatures = Napi::Array::New(env, judgement.signatures.size());
    for (std::uint32_t i = 0; i < judgement.signatures.size(); ++i) {
      signatures[i] = ToObject(env, judgement.signatures[i]);
    }
    object["signatures"] = signatures;
    if (judgement.verdict) object["verdict"] = ToObject(env, *judgement.verdict);
    auto entries = Napi::Array::New(env, judgement.entries.size());
    for (std::uint32_t i = 0; i < judgement.entries.size(); ++i) entries[i] = ToObject(env, judgement.entries[i]);
    object["entries"] = entries;
    return object;
  }

  static Napi::Value ToObject(Napi::Env env, const probe::Values& values) {
    auto object = Napi::Object::New(env);
    for (const auto& [name, value] : values) object[name] = Napi::String::New(env, value);
    return object;
  }

  static Napi::Value ToObject(Napi::Env env, const probe::TableEntry& entry) {
    auto object = Napi::Object::New(env);
    object["index"] = Napi::Number::New(env, entry.index);
    object["uuid"] = Napi::String::New(env, entry.uuid);
    object["type"] = Napi::String::New(env, entry.type);
    object["label"] = Napi::String::New(env, entry.label);
    object["offset"] = Napi::BigInt::New(env, entry.offset_bytes);
    object["size"] = Napi::BigInt::New(env, entry.size_bytes);
    return object;
  }
};

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  // libuv 1 promises that its structures keep their sizes; a Node that breaks the promise must not load us.
  if (uv_handle_size(UV_POLL) != sizeof(uv_poll_t)) throw Napi::Error::New(env, "uv_poll_t has another size");
  exports["UeventSocket"] = UeventSocket::Define(env);
  exports["Inotify"] = Inotify::Define(env);
  exports["ProbeQueue"] = ProbeQueue::Define(env);
  cgroupfs::Define(env, exports);
  inspect::Define(env, exports);
  files::Define(env, exports);
  memory::Define(env, exports);
  netns::Define(env, exports);
  packet::Define(env, exports);
  h2::Define(env, exports);
  snapshot::Define(env, exports);
  tpm::Define(env, exports);
  return exports;
}

}  // namespace

}  // namespace nodecore

// The macro wants a function at global scope.
static Napi::Object InitAll(Napi::Env env, Napi::Object exports) { return nodecore::Init(env, exports); }
NODE_API_MODULE(nodecore, InitAll)
