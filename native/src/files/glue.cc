#include "files/glue.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "addon/handle.h"
#include "files/archive.h"
#include "files/content.h"
#include "files/listing.h"
#include "files/stream.h"
#include "files/usage.h"

namespace nodecore::files {

namespace {

// Names are bytes.
std::string BytesOf(const Napi::Value& value) {
  const auto bytes = value.As<Napi::Uint8Array>();
  return {reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()};
}

std::int64_t NumberOf(const Napi::Value& value) { return value.As<Napi::Number>().Int64Value(); }

// Negative: without an end.
std::size_t DepthOf(const Napi::Value& value) {
  const std::int64_t depth = NumberOf(value);
  return depth < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(depth);
}

Napi::Value ToBuffer(Napi::Env env, std::string bytes) {
  auto* const owner = new std::string(std::move(bytes));
  return Napi::ArrayBuffer::New(
      env, owner->data(), owner->size(), [](Napi::BasicEnv, void*, std::string* owner) { delete owner; }, owner);
}

class FileStream : public Handle<FileStream, Stream> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "FileStream",
                       {InstanceMethod("wait", &FileStream::Wait), InstanceMethod("keepAlive", &FileStream::KeepAlive),
                        InstanceMethod("submit", &FileStream::Submit), InstanceMethod("receive", &FileStream::Receive),
                        InstanceMethod("close", &FileStream::Close)});
  }

  explicit FileStream(const Napi::CallbackInfo& info) : Handle(info, Stream::Open(SourceOf(info))) {}

  void Submit(const Napi::CallbackInfo&) { core_->Submit(); }

  Napi::Value Receive(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    auto result = core_->Receive();
    if (!result) return env.Undefined();
    Piece piece = OrThrow(env, std::move(*result));
    auto object = Napi::Object::New(env);
    object["bytes"] = ToBuffer(env, std::move(piece.bytes));
    if (piece.last && !piece.report.empty())
      object["report"] = Napi::Buffer<char>::Copy(env, piece.report.data(), piece.report.size());
    object["last"] = Napi::Boolean::New(env, piece.last);
    return object;
  }

 private:
  static std::unique_ptr<Source> SourceOf(const Napi::CallbackInfo& info) {
    const std::string kind = info[0].As<Napi::String>();
    const auto request = info[1].As<Napi::Object>();
    const auto flag = [&](const char* name) -> bool { return request.Get(name).As<Napi::Boolean>(); };
    if (kind == "list")
      return std::make_unique<Listing>(ListingRequest{.root = BytesOf(request.Get("root")),
                                                      .depth = DepthOf(request.Get("depth")),
                                                      .types = request.Get("types").As<Napi::Number>().Uint32Value(),
                                                      .details = flag("details"),
                                                      .one_file_system = flag("oneFileSystem")});
    if (kind == "usage") {
      UsageRequest usage{.roots = {},
                         .depth = DepthOf(request.Get("depth")),
                         .all = flag("all"),
                         .threshold = NumberOf(request.Get("threshold")),
                         .apparent = flag("apparent"),
                         .one_file_system = flag("oneFileSystem")};
      const auto roots = request.Get("roots").As<Napi::Array>();
      for (std::uint32_t i = 0; i < roots.Length(); ++i) usage.roots.push_back(BytesOf(roots.Get(i)));
      return std::make_unique<Usage>(std::move(usage));
    }
    if (kind == "read")
      return std::make_unique<Content>(ContentRequest{.path = BytesOf(request.Get("path")),
                                                      .offset = NumberOf(request.Get("offset")),
                                                      .length = NumberOf(request.Get("length")),
                                                      .follow = flag("follow")});
    return std::make_unique<Archive>(
        ArchiveRequest{.root = BytesOf(request.Get("root")), .one_file_system = flag("oneFileSystem")});
  }
};

}  // namespace

void Define(Napi::Env env, Napi::Object exports) { exports["FileStream"] = FileStream::Define(env); }

}  // namespace nodecore::files
