#include "snapshot/glue.h"

#include "addon/handle.h"
#include "h2/glue.h"
#include "snapshot/download.h"
#include "snapshot/file_check.h"
#include "snapshot/sink.h"

namespace nodecore::snapshot {

namespace {

Napi::Value ToObject(Napi::Env env, const Status& status) {
  auto object = Napi::Object::New(env);
  object["hash"] = Napi::Number::New(env, status.hash);
  object["revision"] = Napi::BigInt::New(env, status.revision);
  object["totalKeys"] = Napi::BigInt::New(env, status.total_keys);
  object["revisions"] = Napi::BigInt::New(env, status.revisions);
  object["totalBytes"] = Napi::BigInt::New(env, status.total_bytes);
  object["keyspaceHash"] = Napi::Number::New(env, status.keyspace_hash);
  object["compacting"] = Napi::Boolean::New(env, status.compacting);
  object["usedPages"] = Napi::BigInt::New(env, status.used_pages);
  object["pages"] = Napi::BigInt::New(env, status.pages);
  object["pageBytes"] = Napi::Number::New(env, status.page_size);
  // Buffers: damaged bytes may be no text.
  object["storageVersion"] = Napi::Buffer<char>::Copy(env, status.storage_version.data(), status.storage_version.size());
  object["clusterVersion"] = Napi::Buffer<char>::Copy(env, status.cluster_version.data(), status.cluster_version.size());
  return object;
}

Napi::Value ToBuffer(Napi::Env env, const Digest& digest) {
  return Napi::Buffer<std::byte>::Copy(env, digest.data(), digest.size());
}

Napi::Value ToObject(Napi::Env env, const Verdict& verdict) {
  auto object = Napi::Object::New(env);
  object["bytes"] = Napi::BigInt::New(env, verdict.bytes);
  object["ending"] = Napi::Number::New(env, static_cast<int>(verdict.ending));
  if (verdict.computed) object["computed"] = ToBuffer(env, *verdict.computed);
  if (verdict.stated) object["stated"] = ToBuffer(env, *verdict.stated);
  if (verdict.defect) {
    auto defect = Napi::Object::New(env);
    defect["kind"] = Napi::Number::New(env, static_cast<int>(verdict.defect->kind));
    defect["page"] = Napi::BigInt::New(env, verdict.defect->page);
    defect["detail"] = Napi::BigInt::New(env, verdict.defect->detail);
    object["defect"] = defect;
  }
  if (verdict.status) object["status"] = ToObject(env, *verdict.status);
  return object;
}

Napi::Value ToObject(Napi::Env env, const std::optional<Result>& result) {
  if (!result) return env.Undefined();
  auto object = Napi::Object::New(env);
  object["abandoned"] = Napi::Boolean::New(env, result->abandoned);
  if (result->failure) object["failure"] = ToError(env, *result->failure).Value();
  if (result->verdict) object["verdict"] = ToObject(env, *result->verdict);
  return object;
}

template <typename Self, typename Core>
class SnapshotHandle : public Handle<Self, Core> {
 public:
  using Handle<Self, Core>::Handle;

  void Abandon(const Napi::CallbackInfo&) { this->core_->Abandon(); }
  void Acknowledge(const Napi::CallbackInfo&) { this->core_->Acknowledge(); }
  Napi::Value Look(const Napi::CallbackInfo& info) { return ToObject(info.Env(), this->core_->Look()); }
};

class SnapshotSink : public SnapshotHandle<SnapshotSink, Sink> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(
        env, "SnapshotSink",
        {InstanceMethod("wait", &SnapshotSink::Wait), InstanceMethod("keepAlive", &SnapshotSink::KeepAlive),
         InstanceMethod("close", &SnapshotSink::Close), InstanceMethod("abandon", &SnapshotSink::Abandon),
         InstanceMethod("acknowledge", &SnapshotSink::Acknowledge), InstanceMethod("look", &SnapshotSink::Look),
         InstanceMethod("expect", &SnapshotSink::Expect), InstanceMethod("append", &SnapshotSink::Append),
         InstanceMethod("finish", &SnapshotSink::Finish)});
  }

  explicit SnapshotSink(const Napi::CallbackInfo& info)
      : SnapshotHandle(info, Sink::Open({.path = PathOf(info[0]),
                                         .replace = info[1].As<Napi::Boolean>()})) {}

  void Expect(const Napi::CallbackInfo& info) {
    bool lossless = false;
    core_->Expect(info[0].As<Napi::BigInt>().Uint64Value(&lossless));
  }

  Napi::Value Append(const Napi::CallbackInfo& info) {
    const auto bytes = info[0].As<Napi::Uint8Array>();
    return Napi::Number::New(info.Env(),
                             static_cast<double>(core_->Append(std::as_bytes(std::span(bytes.Data(), bytes.ByteLength())))));
  }

  void Finish(const Napi::CallbackInfo&) { core_->Finish(); }

  // Null when it is closed.
  Sink* core() { return core_ ? &*core_ : nullptr; }
};

Layout ToLayout(const Napi::Object& object) {
  const auto number = [&](const char* name) { return object.Get(name).As<Napi::Number>().Uint32Value(); };
  return {.data = number("data"), .remaining = number("remaining"), .total = number("total")};
}

class SnapshotDownload : public Napi::ObjectWrap<SnapshotDownload> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(
        env, "SnapshotDownload",
        {InstanceMethod("feed", &SnapshotDownload::Feed), InstanceMethod("flush", &SnapshotDownload::Flush),
         InstanceMethod("signs", &SnapshotDownload::Signs), InstanceMethod("output", &SnapshotDownload::Output),
         InstanceMethod("total", &SnapshotDownload::Total), InstanceMethod("end", &SnapshotDownload::End)});
  }

  explicit SnapshotDownload(const Napi::CallbackInfo& info)
      : ObjectWrap(info),
        holder_(info[0].IsUndefined() ? Napi::ObjectReference() : Napi::Persistent(info[0].As<Napi::Object>())),
        sink_(info[0].IsUndefined() ? nullptr : SnapshotSink::Unwrap(info[0].As<Napi::Object>())),
        core_(OrThrow(info.Env(), Download::Begin(h2::ToRequest(info, 1), info[6].As<Napi::Number>().Int32Value(),
                                                  ToLayout(info[7].As<Napi::Object>())))) {}

  // The first `info[1]` bytes of a buffer; a copy of the database's into another one, when there is one.
  Napi::Value Feed(const Napi::CallbackInfo& info) {
    const auto bytes = info[0].As<Napi::Uint8Array>();
    std::span<std::uint8_t> copy;
    if (!info[2].IsUndefined()) {
      auto into = info[2].As<Napi::Uint8Array>();
      copy = std::span(into.Data(), into.ByteLength());
    }
    Sink* const sink = sink_ == nullptr ? nullptr : sink_->core();
    // Nothing goes to a sink that was closed.
    if (sink_ != nullptr && sink == nullptr) return Napi::Number::New(info.Env(), 0);
    const auto read = std::span(bytes.Data(), info[1].As<Napi::Number>().Uint32Value());
    const std::size_t taken = core_.Feed(std::as_bytes(read), sink, std::as_writable_bytes(copy));
    return Napi::Number::New(info.Env(), static_cast<double>(taken));
  }

  void Flush(const Napi::CallbackInfo&) {
    if (sink_ == nullptr) return;
    if (Sink* const sink = sink_->core(); sink != nullptr) core_.Flush(*sink);
  }

  // In the order of snapshot-download.ts: there is output, the sink had no room, the call is over.
  Napi::Value Signs(const Napi::CallbackInfo& info) {
    const unsigned signs = (core_.call().has_output() ? 1U : 0U) | (core_.held() ? 2U : 0U) |
                           (core_.call().over() ? 4U : 0U);
    return Napi::Number::New(info.Env(), signs);
  }

  Napi::Value Output(const Napi::CallbackInfo& info) {
    const std::string output = core_.call().TakeOutput();
    return Napi::Buffer<char>::Copy(info.Env(), output.data(), output.size());
  }

  Napi::Value Total(const Napi::CallbackInfo& info) {
    const auto total = core_.messages().total();
    return total ? Napi::BigInt::New(info.Env(), *total) : info.Env().Undefined();
  }

  Napi::Value End(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    auto object = h2::ToObject(env, core_.call());
    object["fault"] = Napi::Number::New(env, static_cast<int>(core_.messages().fault()));
    object["whole"] = Napi::Boolean::New(env, core_.messages().whole());
    return object;
  }

 private:
  // The sink, where there is one, stays as long as this does.
  Napi::ObjectReference holder_;
  SnapshotSink* sink_;
  Download core_;
};

class SnapshotFileCheck : public SnapshotHandle<SnapshotFileCheck, FileCheck> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "SnapshotFileCheck",
                       {InstanceMethod("wait", &SnapshotFileCheck::Wait),
                        InstanceMethod("keepAlive", &SnapshotFileCheck::KeepAlive),
                        InstanceMethod("close", &SnapshotFileCheck::Close),
                        InstanceMethod("abandon", &SnapshotFileCheck::Abandon),
                        InstanceMethod("acknowledge", &SnapshotFileCheck::Acknowledge),
                        InstanceMethod("look", &SnapshotFileCheck::Look),
                        InstanceMethod("progress", &SnapshotFileCheck::Progress)});
  }

  explicit SnapshotFileCheck(const Napi::CallbackInfo& info)
      : SnapshotHandle(info, FileCheck::Open(PathOf(info[0]), info[1].ToBoolean() ? Proof::kDigest : Proof::kStructure)) {}

  // Bytes that were checked, and bytes of the file.
  Napi::Value Progress(const Napi::CallbackInfo& info) {
    auto numbers = Napi::BigUint64Array::New(info.Env(), 2);
    numbers[0] = core_->checked_bytes();
    numbers[1] = core_->file_bytes();
    return numbers;
  }
};

}  // namespace

void Define(Napi::Env env, Napi::Object exports) {
  exports["SnapshotSink"] = SnapshotSink::Define(env);
  exports["SnapshotDownload"] = SnapshotDownload::Define(env);
  exports["SnapshotFileCheck"] = SnapshotFileCheck::Define(env);
}

}  // namespace nodecore::snapshot
