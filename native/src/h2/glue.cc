#include "h2/glue.h"

#include <cstring>
#include <span>
#include <string>

#include "addon/handle.h"

namespace nodecore::h2 {

namespace {

Napi::Value ToArray(Napi::Env env, const Headers& headers) {
  auto array = Napi::Array::New(env, headers.size() * 2);
  std::uint32_t next = 0;
  for (const auto& [name, value] : headers) {
    array[next++] = Napi::String::New(env, name);
    array[next++] = Napi::String::New(env, value);
  }
  return array;
}

Headers ToHeaders(const Napi::Array& array) {
  Headers headers;
  for (std::uint32_t next = 0; next + 1 < array.Length(); next += 2) {
    headers.emplace_back(array.Get(next).As<Napi::String>(), array.Get(next + 1).As<Napi::String>());
  }
  return headers;
}

class Http2Call : public Napi::ObjectWrap<Http2Call> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "Http2Call",
                       {InstanceMethod("feed", &Http2Call::Feed), InstanceMethod("consume", &Http2Call::Consume),
                        InstanceMethod("ping", &Http2Call::Ping), InstanceMethod("signs", &Http2Call::Signs),
                        InstanceMethod("output", &Http2Call::Output), InstanceMethod("end", &Http2Call::End)});
  }

  explicit Http2Call(const Napi::CallbackInfo& info)
      : ObjectWrap(info),
        core_(OrThrow(info.Env(), Call::Begin(ToRequest(info, 0), info[5].As<Napi::Number>().Int32Value(),
                                              Windows::kConsumed))) {}

  // The first `info[1]` bytes of a buffer; the content's into another one, which is as long.
  Napi::Value Feed(const Napi::CallbackInfo& info) {
    const auto bytes = info[0].As<Napi::Uint8Array>();
    auto into = info[2].As<Napi::Uint8Array>();
    const auto room = std::as_writable_bytes(std::span(into.Data(), into.ByteLength()));
    const auto read = std::span(bytes.Data(), bytes.ByteLength()).first(info[1].As<Napi::Number>().Uint32Value());
    std::size_t taken = 0;
    core_.Feed(std::as_bytes(read), [&](Bytes content) {
      if (content.size() > room.size() - taken) return false;
      std::memcpy(room.data() + taken, content.data(), content.size());
      taken += content.size();
      return true;
    });
    return Napi::Number::New(info.Env(), static_cast<double>(taken));
  }

  void Consume(const Napi::CallbackInfo& info) { core_.Consume(info[0].As<Napi::Number>().Uint32Value()); }
  void Ping(const Napi::CallbackInfo&) { core_.Ping(); }

  // In the order of http2-call.ts: there is output, the call is over.
  Napi::Value Signs(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), (core_.has_output() ? 1U : 0U) | (core_.over() ? 2U : 0U));
  }

  Napi::Value Output(const Napi::CallbackInfo& info) {
    const std::string output = core_.TakeOutput();
    return Napi::Buffer<char>::Copy(info.Env(), output.data(), output.size());
  }

  Napi::Value End(const Napi::CallbackInfo& info) { return ToObject(info.Env(), core_); }

 private:
  Call core_;
};

}  // namespace

Request ToRequest(const Napi::CallbackInfo& info, std::size_t first) {
  const auto body = info[first + 3].As<Napi::Uint8Array>();
  return {.scheme = info[first].As<Napi::String>(),
          .authority = info[first + 1].As<Napi::String>(),
          .path = info[first + 2].As<Napi::String>(),
          .body = {reinterpret_cast<const char*>(body.Data()), body.ByteLength()},
          .metadata = ToHeaders(info[first + 4].As<Napi::Array>())};
}

Napi::Object ToObject(Napi::Env env, const Call& call) {
  auto object = Napi::Object::New(env);
  object["headers"] = ToArray(env, call.headers());
  object["trailers"] = ToArray(env, call.trailers());
  object["closedWith"] = Napi::Number::New(env, call.closed_with());
  object["violation"] = Napi::String::New(env, std::string(call.violation()));
  return object;
}

void Define(Napi::Env env, Napi::Object exports) { exports["Http2Call"] = Http2Call::Define(env); }

}  // namespace nodecore::h2
