#include "packet/glue.h"

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "addon/handle.h"
#include "core/thread.h"
#include "packet/batch_reader.h"
#include "packet/capture.h"
#include "packet/file_sink.h"
#include "packet/interfaces.h"
#include "packet/ring.h"

namespace nodecore::packet {

namespace {

// Numbers per ring: interface, cooked, promiscuous, bytes of a block, blocks, retire time.
constexpr std::size_t kRingNumbers = 6;

RingOptions ToRingOptions(const std::uint32_t* numbers, const Napi::Buffer<std::uint8_t>& filter) {
  RingOptions options;
  options.interface_index = static_cast<int>(numbers[0]);
  options.cooked = numbers[1] != 0;
  options.promiscuous = numbers[2] != 0;
  options.block_bytes = numbers[3];
  options.blocks = numbers[4];
  options.retire_ms = numbers[5];
  options.filter.resize(filter.Length() / sizeof(sock_filter));
  std::memcpy(options.filter.data(), filter.Data(), options.filter.size() * sizeof(sock_filter));
  return options;
}

CaptureOptions ToCaptureOptions(const Napi::CallbackInfo& info) {
  const auto numbers = info[0].As<Napi::Uint32Array>();
  const auto filters = info[1].As<Napi::Array>();
  CaptureOptions options;
  for (std::uint32_t i = 0; i < filters.Length(); ++i) {
    options.rings.push_back(
        ToRingOptions(numbers.Data() + i * kRingNumbers, filters.Get(i).As<Napi::Buffer<std::uint8_t>>()));
  }
  options.most_hold_ms = info[2].As<Napi::Number>().Uint32Value();
  return options;
}

Napi::Value ToObject(Napi::Env env, const RingCounters& counters) {
  auto object = Napi::Object::New(env);
  object["packets"] = Napi::BigInt::New(env, counters.packets);
  object["drops"] = Napi::BigInt::New(env, counters.drops);
  object["freezes"] = Napi::BigInt::New(env, counters.freezes);
  return object;
}

Napi::Value ToObject(Napi::Env env, const Progress& progress) {
  auto object = Napi::Object::New(env);
  auto rings = Napi::Array::New(env, progress.rings.size());
  auto taken = Napi::BigUint64Array::New(env, progress.taken.size());
  auto lost = Napi::BigUint64Array::New(env, progress.lost.size());
  auto gone = Napi::Array::New(env, progress.gone.size());
  for (std::uint32_t i = 0; i < progress.rings.size(); ++i) {
    rings[i] = ToObject(env, progress.rings[i]);
    taken[i] = progress.taken[i];
    lost[i] = progress.lost[i];
    if (progress.gone[i]) gone[i] = ToError(env, *progress.gone[i]).Value();
  }
  object["rings"] = rings;
  object["taken"] = taken;
  object["lost"] = lost;
  object["gone"] = gone;
  object["end"] = Napi::Number::New(env, static_cast<int>(progress.end));
  object["closed"] = Napi::Boolean::New(env, progress.closed);
  if (progress.failure) object["failure"] = ToError(env, *progress.failure).Value();
  if (progress.failed_ring) object["failedRing"] = Napi::Number::New(env, *progress.failed_ring);
  return object;
}

class PacketBatches : public Handle<PacketBatches, BatchReader> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "PacketBatches",
                       {InstanceMethod("wait", &PacketBatches::Wait),
                        InstanceMethod("keepAlive", &PacketBatches::KeepAlive),
                        InstanceMethod("stop", &PacketBatches::Stop),
                        InstanceMethod("abandon", &PacketBatches::Abandon),
                        InstanceMethod("look", &PacketBatches::Look), InstanceMethod("take", &PacketBatches::Take),
                        InstanceMethod("close", &PacketBatches::Close)});
  }

  explicit PacketBatches(const Napi::CallbackInfo& info)
      : Handle(info, BatchReader::Open(ToCaptureOptions(info),
                                 {.snap_length = info[3].As<Napi::Number>().Uint32Value(),
                                  .format = info[4].ToBoolean() ? Format::kPcapng : Format::kPcap})) {}

  // Five numbers: ring, bytes, packets, how many of them were cut, and 1 when it has ended.
  void Take(const Napi::CallbackInfo& info) {
    auto buffer = info[0].As<Napi::Uint8Array>();
    auto answer = info[1].As<Napi::Uint32Array>();
    const Batch batch = core_->Take(std::as_writable_bytes(std::span(buffer.Data(), buffer.ByteLength())));
    answer[0] = batch.ring;
    answer[1] = batch.bytes;
    answer[2] = batch.packets;
    answer[3] = batch.truncated;
    answer[4] = core_->ended() ? 1 : 0;
  }

  void Stop(const Napi::CallbackInfo&) { core_->Stop(); }
  void Abandon(const Napi::CallbackInfo&) { core_->Abandon(); }
  Napi::Value Look(const Napi::CallbackInfo& info) { return ToObject(info.Env(), core_->Look()); }
};

class PacketFile : public Handle<PacketFile, Capture> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "PacketFile",
                       {InstanceMethod("wait", &PacketFile::Wait), InstanceMethod("keepAlive", &PacketFile::KeepAlive),
                        InstanceMethod("stop", &PacketFile::Stop), InstanceMethod("look", &PacketFile::Look),
                        InstanceMethod("acknowledge", &PacketFile::Acknowledge),
                        InstanceMethod("written", &PacketFile::Written), InstanceMethod("close", &PacketFile::Close)});
  }

  // The sink is made inside Capture::Open, and kept here for what is asked of it at the end.
  explicit PacketFile(const Napi::CallbackInfo& info, std::shared_ptr<FileSink> sink = nullptr)
      : Handle(info, Capture::Open(ToCaptureOptions(info),
                                   [&]() -> std::expected<std::shared_ptr<Sink>, SysError> {
                                     auto made = FileSink::Open(ToFileSinkOptions(info));
                                     if (!made) return std::unexpected(made.error());
                                     sink = *made;
                                     return std::move(*made);
                                   })),
        sink_(std::move(sink)) {}

  void Stop(const Napi::CallbackInfo&) { core_->Stop(); }
  void Acknowledge(const Napi::CallbackInfo&) { core_->Acknowledge(); }
  Napi::Value Look(const Napi::CallbackInfo& info) { return ToObject(info.Env(), core_->Look()); }

  // After the end only: before, these are the thread's.
  Napi::Value Written(const Napi::CallbackInfo& info) {
    auto object = Napi::Object::New(info.Env());
    object["path"] = Napi::String::New(info.Env(), sink_->path());
    object["packets"] = Napi::BigInt::New(info.Env(), sink_->packets());
    object["bytes"] = Napi::BigInt::New(info.Env(), sink_->bytes());
    object["hasEpilogue"] = Napi::Boolean::New(info.Env(), sink_->has_epilogue());
    return object;
  }

 private:
  static std::uint64_t ToCount(const Napi::Value& value) {
    bool lossless = false;
    return value.As<Napi::BigInt>().Uint64Value(&lossless);
  }

  static FileSinkOptions ToFileSinkOptions(const Napi::CallbackInfo& info) {
    FileSinkOptions options;
    options.stem = PathOf(info[3]);
    options.suffix = PathOf(info[4]);
    options.format = info[5].As<Napi::Boolean>() ? Format::kPcapng : Format::kPcap;
    options.snap_length = info[6].As<Napi::Number>().Uint32Value();
    const auto preamble = info[7].As<Napi::Buffer<std::byte>>();
    options.preamble.assign(preamble.Data(), preamble.Data() + preamble.Length());
    options.most_packets = ToCount(info[8]);
    options.most_bytes = ToCount(info[9]);
    options.file_bytes = ToCount(info[10]);
    options.file_seconds = info[11].As<Napi::Number>().Uint32Value();
    options.keep_files = info[12].As<Napi::Number>().Uint32Value();
    const auto epilogue = info[13].As<Napi::Buffer<std::byte>>();
    options.epilogue.assign(epilogue.Data(), epilogue.Data() + epilogue.Length());
    options.interfaces = info[1].As<Napi::Array>().Length();
    return options;
  }

  std::shared_ptr<FileSink> sink_;
};

// The ring's own blocks, lent one at a time. A block that was taken back has no bytes any more for code that kept it.
class PacketRing : public Handle<PacketRing, Ring> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(env, "PacketRing",
                       {InstanceMethod("wait", &PacketRing::Wait), InstanceMethod("keepAlive", &PacketRing::KeepAlive),
                        InstanceMethod("lend", &PacketRing::Lend), InstanceMethod("takeBack", &PacketRing::TakeBack),
                        InstanceMethod("silence", &PacketRing::Silence),
                        InstanceMethod("counters", &PacketRing::Counters), InstanceMethod("error", &PacketRing::Error),
                        InstanceMethod("close", &PacketRing::CloseRing)});
  }

  explicit PacketRing(const Napi::CallbackInfo& info)
      : Handle(info, Ring::Open(ToRingOptions(info[0].As<Napi::Uint32Array>().Data(),
                                              info[1].As<Napi::Buffer<std::uint8_t>>()))) {}

  // Undefined when no block is ready; the argument says that the ring is silent, and its open block is wanted, too.
  Napi::Value Lend(const Napi::CallbackInfo& info) {
    tpacket_block_desc* const block = info[0].As<Napi::Boolean>() ? core_->Remaining() : core_->Ready();
    if (block == nullptr) return info.Env().Undefined();
    const auto buffer = Napi::ArrayBuffer::New(info.Env(), block, core_->block_bytes(), [](Napi::BasicEnv, void*) {});
    // The owner of the bytes holds the ring.
    buffer.DefineProperty(Napi::PropertyDescriptor::Value("ring", info.This(), napi_default));
    lent_ = Napi::Persistent(buffer);
    return buffer;
  }

  void TakeBack(const Napi::CallbackInfo&) {
    Detach();
    core_->Release();
  }

  void Silence(const Napi::CallbackInfo& info) {
    OrThrow(info.Env(), core_->Silence());
    Wake();
  }
  Napi::Value Counters(const Napi::CallbackInfo& info) {
    return ToObject(info.Env(), OrThrow(info.Env(), core_->Counters()));
  }
  Napi::Value Error(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), core_->Error()); }

  void CloseRing(const Napi::CallbackInfo& info) {
    Detach();
    std::optional<Ring> ring;
    if (core_) ring.emplace(std::move(*core_));
    Close(info);
    // Closing a packet socket waits for all processors, some 20 ms: the loop does not.
    if (ring) SpawnDetached([ring = std::move(*ring)] {});
  }

 private:
  void Detach() {
    if (lent_.IsEmpty()) return;
    lent_.Value().Detach();
    lent_.Reset();
  }

  Napi::Reference<Napi::ArrayBuffer> lent_;
};

Napi::Value ListInterfaces(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto interfaces = OrThrow(env, Interfaces());
  auto result = Napi::Array::New(env, interfaces.size());
  for (std::uint32_t i = 0; i < interfaces.size(); ++i) {
    auto object = Napi::Object::New(env);
    object["name"] = Napi::String::New(env, interfaces[i].name);
    object["index"] = Napi::Number::New(env, interfaces[i].index);
    object["hardwareType"] = Napi::Number::New(env, interfaces[i].hardware_type);
    object["flags"] = Napi::Number::New(env, interfaces[i].flags);
    object["mtu"] = Napi::Number::New(env, interfaces[i].mtu);
    result[i] = object;
  }
  return result;
}

}  // namespace

void Define(Napi::Env env, Napi::Object exports) {
  exports["PacketBatches"] = PacketBatches::Define(env);
  exports["PacketFile"] = PacketFile::Define(env);
  exports["interfaces"] = Napi::Function::New(env, ListInterfaces);
  exports["PacketRing"] = PacketRing::Define(env);
}

}  // namespace nodecore::packet
