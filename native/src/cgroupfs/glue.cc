#include "cgroupfs/glue.h"

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "addon/handle.h"
#include "cgroupfs/pressure_trigger.h"
#include "cgroupfs/name_text.h"
#include "cgroupfs/tree_reader.h"
#include "poll/priority_waiter.h"

namespace nodecore::cgroupfs {

namespace {

std::vector<std::string> ToStrings(const Napi::Value& value) {
  const auto array = value.As<Napi::Array>();
  std::vector<std::string> strings;
  for (std::uint32_t i = 0; i < array.Length(); ++i) strings.push_back(array.Get(i).As<Napi::String>());
  return strings;
}

// A structure of several numbers becomes that many elements.
template <typename Array, typename T>
Napi::Value ToTyped(Napi::Env env, const std::vector<T>& values) {
  using Element = std::remove_pointer_t<decltype(std::declval<Array>().Data())>;
  static_assert(sizeof(T) % sizeof(Element) == 0);
  auto array = Array::New(env, values.size() * (sizeof(T) / sizeof(Element)));
  if (!values.empty()) std::memcpy(array.Data(), values.data(), values.size() * sizeof(T));
  return array;
}

Napi::Value ToBuffer(Napi::Env env, Arena arena) {
  const std::size_t size = arena.size();
  if (size == 0) return Napi::ArrayBuffer::New(env, 0);
  auto* owner = new Arena(std::move(arena));
  return Napi::ArrayBuffer::New(
      env, owner->data(), size, [](Napi::BasicEnv, void*, Arena* owner) { delete owner; }, owner);
}

Napi::Value ToObject(Napi::Env env, Scan scan) {
  auto object = Napi::Object::New(env);
  auto names = Napi::Array::New(env, scan.file_names.size());
  for (std::uint32_t i = 0; i < scan.file_names.size(); ++i) names[i] = Napi::String::New(env, scan.file_names[i]);
  object["fileNames"] = names;
  auto appeared = Napi::Array::New(env, scan.appeared.size());
  for (std::uint32_t i = 0; i < scan.appeared.size(); ++i) {
    auto directory = Napi::Object::New(env);
    directory["id"] = Napi::Number::New(env, scan.appeared[i].id);
    directory["parent"] = Napi::Number::New(env, scan.appeared[i].parent);
    directory["name"] = Napi::String::New(env, NameText(scan.appeared[i].name));
    appeared[i] = directory;
  }
  object["appeared"] = appeared;
  object["gone"] = ToTyped<Napi::Uint32Array>(env, scan.gone);
  object["order"] = ToTyped<Napi::Uint32Array>(env, scan.order);
  object["stamps"] = ToTyped<Napi::BigUint64Array>(env, scan.stamps);
  object["starts"] = ToTyped<Napi::Uint32Array>(env, scan.starts);
  object["entries"] = ToTyped<Napi::Int32Array>(env, scan.entries);
  auto values = Napi::Array::New(env, scan.values.size());
  auto states = Napi::Array::New(env, scan.states.size());
  for (std::uint32_t i = 0; i < scan.values.size(); ++i) {
    values[i] = ToTyped<Napi::BigUint64Array>(env, scan.values[i]);
    states[i] = ToTyped<Napi::Uint8Array>(env, scan.states[i]);
  }
  object["values"] = values;
  object["states"] = states;
  auto arenas = Napi::Array::New(env, scan.arenas.size());
  for (std::uint32_t i = 0; i < scan.arenas.size(); ++i) arenas[i] = ToBuffer(env, std::move(scan.arenas[i]));
  object["arenas"] = arenas;
  object["held"] = Napi::Number::New(env, scan.held);
  object["limit"] = Napi::Number::New(env, scan.limit);
  return object;
}

class CgroupTree : public Handle<CgroupTree, TreeReader> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "CgroupTree",
                       {InstanceMethod("wait", &CgroupTree::Wait), InstanceMethod("keepAlive", &CgroupTree::KeepAlive),
                        InstanceMethod("submit", &CgroupTree::Submit), InstanceMethod("cancel", &CgroupTree::Cancel),
                        InstanceMethod("receive", &CgroupTree::Receive), InstanceMethod("close", &CgroupTree::Close)});
  }

  explicit CgroupTree(const Napi::CallbackInfo& info)
      : Handle(info, TreeReader::Open(PathOf(info[0]), info[1].As<Napi::Boolean>())) {}

  void Submit(const Napi::CallbackInfo& info) {
    Request request;
    request.every_file = info[0].IsUndefined();
    if (!request.every_file) request.files = ToStrings(info[0]);
    const auto files = info[1].As<Napi::Uint32Array>();
    const auto lines = ToStrings(info[2]);
    const auto parts = ToStrings(info[3]);
    for (std::size_t i = 0; i < lines.size(); ++i) request.columns.push_back({files[i], lines[i], parts[i]});
    request.texts = info[4].As<Napi::Boolean>();
    request.most_held = info[5].As<Napi::Number>().Uint32Value();
    core_->Submit(std::move(request));
  }

  void Cancel(const Napi::CallbackInfo&) { core_->Cancel(); }

  Napi::Value Receive(const Napi::CallbackInfo& info) {
    auto result = core_->Receive();
    if (!result) return info.Env().Undefined();
    return ToObject(info.Env(), OrThrow(info.Env(), std::move(*result)));
  }
};

class Pressure : public Handle<Pressure, PressureTrigger, poll::PriorityWaiter> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "PressureTrigger",
                       {InstanceMethod("wait", &Pressure::Wait), InstanceMethod("keepAlive", &Pressure::KeepAlive),
                        InstanceMethod("receive", &Pressure::Receive), InstanceMethod("close", &Pressure::Close)});
  }

  explicit Pressure(const Napi::CallbackInfo& info)
      : Handle(info, PressureTrigger::Open(PathOf(info[0]), info[1].As<Napi::String>())) {}

  Napi::Value Receive(const Napi::CallbackInfo& info) {
    return Napi::String::New(info.Env(), OrThrow(info.Env(), core_->Read()));
  }
};

}  // namespace

void Define(Napi::Env env, Napi::Object exports) {
  exports["CgroupTree"] = CgroupTree::Define(env);
  exports["PressureTrigger"] = Pressure::Define(env);
}

}  // namespace nodecore::cgroupfs
