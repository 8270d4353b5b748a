#include "tpm/glue.h"

#include "addon/handle.h"
#include "tpm/tpm_queue.h"

namespace nodecore::tpm {

namespace {

std::uint32_t Number(const Napi::Value& value) { return value.As<Napi::Number>().Uint32Value(); }

std::span<const std::uint8_t> View(const Napi::Value& value) {
  if (value.IsUndefined()) return {};
  const auto array = value.As<Napi::Uint8Array>();
  return {array.Data(), array.ByteLength()};
}

Bytes Copy(const Napi::Value& value) {
  const auto view = View(value);
  return Bytes(view.begin(), view.end());
}

std::optional<Bytes> Optional(const Napi::Value& value) {
  return value.IsUndefined() ? std::nullopt : std::optional(Copy(value));
}

Policy ToPolicy(const Napi::Object& object) {
  Policy policy{};
  policy.pcr_algorithm = static_cast<std::uint16_t>(Number(object.Get("pcrAlg")));
  policy.pcr_mask = Number(object.Get("pcrMask"));
  policy.auth_value = object.Get("authValue").As<Napi::Boolean>();
  const Napi::Value modulus = object.Get("modulus");
  if (modulus.IsUndefined()) return policy;
  policy.authorization = Authorization{Copy(modulus),
                                       Number(object.Get("exponent")),
                                       static_cast<std::uint16_t>(Number(object.Get("authorizeAlg"))),
                                       Number(object.Get("authorizeMask")),
                                       Copy(object.Get("approved")),
                                       Copy(object.Get("approvedDigest")),
                                       Copy(object.Get("signature"))};
  return policy;
}

const char* ConditionName(Condition condition) {
  switch (condition) {
    case Condition::kResponse:
      return "response";
    case Condition::kLibrary:
      return "library";
    case Condition::kKey:
      return "key";
    case Condition::kPolicy:
      return "policy";
    case Condition::kProof:
      return "proof";
    case Condition::kBlob:
      return "blob";
  }
  return "response";
}

// An answer of any type as the queue has them.
template <typename T>
Outcome AsOutcome(std::expected<T, Failure> result) {
  if (!result) return std::unexpected(result.error());
  if constexpr (std::is_void_v<T>) {
    return Value();
  } else {
    return Value(std::move(*result));
  }
}

// Values as JavaScript has them. Bytes are copied into memory that JavaScript owns.
struct ToValue {
  Napi::Env env;

  Napi::Value operator()(std::monostate) const { return env.Undefined(); }
  Napi::Value operator()(const Bytes& bytes) const {
    return Napi::Buffer<std::uint8_t>::Copy(env, bytes.data(), bytes.size());
  }
  Napi::Value operator()(const SecretBytes& bytes) const {
    return Napi::Buffer<std::uint8_t>::Copy(env, bytes.data(), bytes.size());
  }
  Napi::Value operator()(const std::vector<std::uint32_t>& numbers) const {
    auto array = Napi::Uint32Array::New(env, numbers.size());
    std::copy(numbers.begin(), numbers.end(), array.Data());
    return array;
  }
  Napi::Value operator()(const Sealed& sealed) const {
    auto object = Napi::Object::New(env);
    object["blob"] = (*this)(sealed.blob);
    object["keyName"] = (*this)(sealed.key_name);
    object["primaryAlg"] = Napi::Number::New(env, sealed.primary_algorithm);
    if (!sealed.storage_root.empty()) object["srk"] = (*this)(sealed.storage_root);
    return object;
  }
};

class Tpm : public Handle<Tpm, TpmQueue> {
 public:
  static Napi::Function Define(Napi::Env env) {
    return DefineClass(
        env, "Tpm",
        {InstanceMethod("wait", &Tpm::Wait), InstanceMethod("keepAlive", &Tpm::KeepAlive),
         InstanceMethod("close", &Tpm::Close), InstanceMethod("receive", &Tpm::Receive),
         InstanceMethod("cancel", &Tpm::Cancel), InstanceMethod("connect", &Tpm::Connect),
         InstanceMethod("disconnect", &Tpm::Disconnect), InstanceMethod("readPcrs", &Tpm::ReadPcrs),
         InstanceMethod("extendPcr", &Tpm::ExtendPcr), InstanceMethod("capability", &Tpm::Capability),
         InstanceMethod("seal", &Tpm::Seal), InstanceMethod("unseal", &Tpm::Unseal)});
  }

  explicit Tpm(const Napi::CallbackInfo& info) : Handle(info, TpmQueue::Open(info[0].As<Napi::String>())) {}

  void Connect(const Napi::CallbackInfo& info) { core_->Connect(Number(info[0])); }

  void Disconnect(const Napi::CallbackInfo& info) { core_->Disconnect(Number(info[0])); }

  Napi::Value Cancel(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), core_->Cancel(Number(info[0])));
  }

  void ReadPcrs(const Napi::CallbackInfo& info) {
    const auto algorithm = static_cast<std::uint16_t>(Number(info[1]));
    core_->Submit(Number(info[0]), [algorithm, mask = Number(info[2])](Context& context) -> Outcome {
      return AsOutcome(tpm::ReadPcrs(context, algorithm, mask));
    });
  }

  void ExtendPcr(const Napi::CallbackInfo& info) {
    const auto algorithm = static_cast<std::uint16_t>(Number(info[2]));
    core_->Submit(Number(info[0]),
                  [pcr = Number(info[1]), algorithm, digest = Copy(info[3])](Context& context) -> Outcome {
                    return AsOutcome(tpm::ExtendPcr(context, pcr, algorithm, digest));
                  });
  }

  void Capability(const Napi::CallbackInfo& info) {
    core_->Submit(Number(info[0]), [capability = Number(info[1]), property = Number(info[2]),
                                    count = Number(info[3])](Context& context) -> Outcome {
      return AsOutcome(tpm::Capability(context, capability, property, count));
    });
  }

  void Seal(const Napi::CallbackInfo& info) {
    SealRequest request{static_cast<std::uint16_t>(Number(info[1])), SecretBytes(View(info[2])),
                        SecretBytes(View(info[3])), Copy(info[4]), ToPolicy(info[5].As<Napi::Object>())};
    core_->Submit(Number(info[0]), [request = std::move(request)](Context& context) -> Outcome {
      return AsOutcome(tpm::Seal(context, request));
    });
  }

  void Unseal(const Napi::CallbackInfo& info) {
    UnsealRequest request{static_cast<std::uint16_t>(Number(info[1])),
                          Optional(info[2]),
                          Optional(info[3]),
                          Copy(info[4]),
                          SecretBytes(View(info[5])),
                          Copy(info[6]),
                          ToPolicy(info[7].As<Napi::Object>())};
    core_->Submit(Number(info[0]), [request = std::move(request)](Context& context) -> Outcome {
      return AsOutcome(tpm::Unseal(context, request));
    });
  }

  Napi::Value Receive(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const auto replies = core_->Receive();
    auto result = Napi::Array::New(env, replies.size());
    for (std::uint32_t i = 0; i < replies.size(); ++i) {
      auto object = Napi::Object::New(env);
      object["id"] = Napi::Number::New(env, replies[i].id);
      if (replies[i].outcome) {
        object["value"] = std::visit(ToValue{env}, *replies[i].outcome);
      } else {
        object["failure"] = ToObject(env, replies[i].outcome.error());
      }
      result[i] = object;
    }
    return result;
  }

 private:
  static Napi::Value ToObject(Napi::Env env, const Failure& failure) {
    auto object = Napi::Object::New(env);
    object["condition"] = Napi::String::New(env, ConditionName(failure.condition));
    object["call"] = Napi::String::New(env, failure.call);
    object["responseCode"] = Napi::Number::New(env, failure.response_code);
    object["library"] = Napi::String::New(env, failure.library);
    return object;
  }
};

}  // namespace

void Define(Napi::Env env, Napi::Object exports) { exports["Tpm"] = Tpm::Define(env); }

}  // namespace nodecore::tpm
