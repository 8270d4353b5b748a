#include "tpm/sealing.h"

#include <algorithm>
#include <cstring>

#include "tpm/persistent_root.h"

namespace nodecore::tpm {

namespace {

// Somebody who extends registers all the time must not keep us here for ever.
constexpr int kMostAttempts = 16;

struct Object {
  TPM2B_PRIVATE private_area;
  TPM2B_PUBLIC public_area;
};

constexpr TPMA_SESSION kEncrypted = TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT;

template <typename Sized>
bool Fill(Sized& target, const SecretBytes& source) {
  if (source.size() > sizeof target.buffer) return false;
  target.size = static_cast<std::uint16_t>(source.size());
  if (!source.empty()) std::memcpy(target.buffer, source.data(), source.size());
  return true;
}

std::expected<Object, Failure> Create(Context& context, const StorageRoot& root, ESYS_TR session,
                                      const SealRequest& request) {
  Wiped<TPM2B_SENSITIVE_CREATE> sensitive;
  if (!Fill(sensitive.value.sensitive.data, request.secret) || !Fill(sensitive.value.sensitive.userAuth, request.auth)) {
    return Refused("Esys_Create", TSS2_ESYS_RC_BAD_SIZE);
  }
  TPM2B_PUBLIC area{};
  area.publicArea.type = TPM2_ALG_KEYEDHASH;
  area.publicArea.nameAlg = TPM2_ALG_SHA256;
  // Not exempt from the dictionary attack protection where there is a PIN to guess at: who does locks the TPM.
  area.publicArea.objectAttributes =
      TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | (request.policy.auth_value ? 0 : TPMA_OBJECT_NODA);
  area.publicArea.authPolicy.size = static_cast<std::uint16_t>(request.policy_digest.size());
  std::memcpy(area.publicArea.authPolicy.buffer, request.policy_digest.data(), request.policy_digest.size());
  area.publicArea.parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL;
  const TPM2B_DATA outside{};
  const TPML_PCR_SELECTION none{};
  TPM2B_PRIVATE* private_area = nullptr;
  TPM2B_PUBLIC* public_area = nullptr;
  const TSS2_RC rc = context.tss().Esys_Create(context.esys(), root.key.get(), session, ESYS_TR_NONE, ESYS_TR_NONE,
                                               &sensitive.value, &area, &outside, &none, &private_area, &public_area,
                                               nullptr, nullptr, nullptr);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_Create", rc);
  return Object{*Own(context, private_area), *Own(context, public_area)};
}

std::expected<Bytes, Failure> Marshal(const Tss& tss, const Object& object) {
  Bytes blob(sizeof object.private_area + sizeof object.public_area);
  std::size_t size = 0;
  TSS2_RC rc = tss.Tss2_MU_TPM2B_PRIVATE_Marshal(&object.private_area, blob.data(), blob.size(), &size);
  if (rc != TSS2_RC_SUCCESS) return Refused("Tss2_MU_TPM2B_PRIVATE_Marshal", rc);
  rc = tss.Tss2_MU_TPM2B_PUBLIC_Marshal(&object.public_area, blob.data(), blob.size(), &size);
  if (rc != TSS2_RC_SUCCESS) return Refused("Tss2_MU_TPM2B_PUBLIC_Marshal", rc);
  blob.resize(size);
  return blob;
}

std::expected<Object, Failure> Unmarshal(const Tss& tss, const Bytes& blob) {
  Object object{};
  std::size_t at = 0;
  if (tss.Tss2_MU_TPM2B_PRIVATE_Unmarshal(blob.data(), blob.size(), &at, &object.private_area) != TSS2_RC_SUCCESS) {
    return Found(Condition::kBlob, "Tss2_MU_TPM2B_PRIVATE_Unmarshal");
  }
  if (tss.Tss2_MU_TPM2B_PUBLIC_Unmarshal(blob.data(), blob.size(), &at, &object.public_area) != TSS2_RC_SUCCESS ||
      at != blob.size()) {
    return Found(Condition::kBlob, "Tss2_MU_TPM2B_PUBLIC_Unmarshal");
  }
  return object;
}

std::expected<Loaded, Failure> Load(Context& context, const StorageRoot& root, ESYS_TR session, const Object& object,
                                    const SecretBytes& auth) {
  ESYS_TR handle = ESYS_TR_NONE;
  TSS2_RC rc = context.tss().Esys_Load(context.esys(), root.key.get(), session, ESYS_TR_NONE, ESYS_TR_NONE,
                                       &object.private_area, &object.public_area, &handle);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_Load", rc);
  Loaded loaded(context, handle);
  Wiped<TPM2B_AUTH> value;
  if (!Fill(value.value, auth)) return Refused("Esys_TR_SetAuth", TSS2_ESYS_RC_BAD_SIZE);
  rc = context.tss().Esys_TR_SetAuth(context.esys(), handle, &value.value);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_TR_SetAuth", rc);
  return loaded;
}

std::expected<SecretBytes, Failure> Take(Context& context, ESYS_TR object, ESYS_TR policy, ESYS_TR session) {
  TPM2B_SENSITIVE_DATA* data = nullptr;
  const TSS2_RC rc =
      context.tss().Esys_Unseal(context.esys(), object, policy, session, ESYS_TR_NONE, &data);
  context.WipeResponse();
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_Unseal", rc);
  SecretBytes secret(std::span(data->buffer, data->size));
  explicit_bzero(data, sizeof *data);
  context.tss().Esys_Free(data);
  return secret;
}

// Takes the steps of the policy and then the secret. A register that is extended in between, by whomever, makes the
// session void; then again from the first step.
std::expected<SecretBytes, Failure> TakeUnderPolicy(Context& context, const StorageRoot& root, ESYS_TR session,
                                                    ESYS_TR object, const Policy& policy, const Bytes& digest) {
  for (int attempt = 1;; ++attempt) {
    const auto fulfilled = FulfilPolicy(context, root, policy, digest);
    auto secret = fulfilled ? Take(context, object, fulfilled->get(), session)
                            : std::expected<SecretBytes, Failure>(std::unexpected(fulfilled.error()));
    if (secret || attempt == kMostAttempts || (secret.error().response_code & 0xfff) != TPM2_RC_PCR_CHANGED) {
      return secret;
    }
  }
}

bool Equal(const SecretBytes& a, const SecretBytes& b) noexcept {
  if (a.size() != b.size()) return false;
  std::uint8_t difference = 0;
  for (std::size_t n = 0; n < a.size(); ++n) difference |= static_cast<std::uint8_t>(a.data()[n] ^ b.data()[n]);
  return difference == 0;
}

std::expected<Sealed, Failure> SealUnder(Context& context, const StorageRoot& root, const SealRequest& request) {
  const auto session = StartSession(context, root.key.get(), TPM2_SE_HMAC, kEncrypted);
  if (!session) return std::unexpected(session.error());
  const auto object = Create(context, root, session->get(), request);
  if (!object) return std::unexpected(object.error());
  auto blob = Marshal(context.tss(), *object);
  if (!blob) return std::unexpected(blob.error());

  const auto loaded = Load(context, root, session->get(), *object, request.auth);
  if (!loaded) return std::unexpected(loaded.error());
  if (request.policy.trial()) {
    const auto tried = FulfilPolicy(context, root, request.policy, request.policy_digest);
    if (!tried) return std::unexpected(tried.error());
  } else {
    const auto secret = TakeUnderPolicy(context, root, session->get(), loaded->get(), request.policy,
                                        request.policy_digest);
    if (!secret) return std::unexpected(secret.error());
    if (!Equal(*secret, request.secret)) return Found(Condition::kProof, "Esys_Unseal");
  }
  return Sealed{std::move(*blob), root.name, root.algorithm, root.serialized};
}

}  // namespace

std::expected<Sealed, Failure> Seal(Context& context, const SealRequest& request) {
  if (request.primary_algorithm == TPM2_ALG_ERROR) {
    const auto stays = PersistentStorageRoot(context);
    if (!stays) return std::unexpected(stays.error());
    if (*stays) {
      auto sealed = SealUnder(context, **stays, request);
      // A key that somebody gave a password is nobody's parent but theirs.
      if (sealed || !WantsPassword(sealed.error().response_code)) return sealed;
    }
  }
  const auto root = CreateStorageRoot(context, request.primary_algorithm);
  if (!root) return std::unexpected(root.error());
  return SealUnder(context, *root, request);
}

std::expected<SecretBytes, Failure> Unseal(Context& context, const UnsealRequest& request) {
  const auto object = Unmarshal(context.tss(), request.blob);
  if (!object) return std::unexpected(object.error());
  const auto root = request.storage_root ? TakeStorageRoot(context, *request.storage_root)
                                         : CreateStorageRoot(context, request.primary_algorithm);
  if (!root) return std::unexpected(root.error());
  if (request.key_name && *request.key_name != root->name) return Found(Condition::kKey, "Esys_TR_GetName");
  const auto session = StartSession(context, root->key.get(), TPM2_SE_HMAC, kEncrypted);
  if (!session) return std::unexpected(session.error());
  const auto loaded = Load(context, *root, session->get(), *object, request.auth);
  if (!loaded) return std::unexpected(loaded.error());
  return TakeUnderPolicy(context, *root, session->get(), loaded->get(), request.policy, request.policy_digest);
}

}  // namespace nodecore::tpm
