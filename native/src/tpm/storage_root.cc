#include "tpm/storage_root.h"

namespace nodecore::tpm {

namespace {

// systemd's first template, which its every version still opens: P-256 or RSA-2048, AES-128-CFB, no uniqueness, and no
// exemption from the dictionary attack protection unless `more` has it.
TPM2B_PUBLIC Template(TPM2_ALG_ID algorithm, TPMA_OBJECT more) {
  TPM2B_PUBLIC result{};
  TPMT_PUBLIC& area = result.publicArea;
  area.type = algorithm;
  area.nameAlg = TPM2_ALG_SHA256;
  area.objectAttributes = kStorageRootAttributes | more;
  TPMT_SYM_DEF_OBJECT symmetric{};
  symmetric.algorithm = TPM2_ALG_AES;
  symmetric.keyBits.aes = 128;
  symmetric.mode.aes = TPM2_ALG_CFB;
  if (algorithm == TPM2_ALG_RSA) {
    area.parameters.rsaDetail.symmetric = symmetric;
    area.parameters.rsaDetail.scheme.scheme = TPM2_ALG_NULL;
    area.parameters.rsaDetail.keyBits = 2048;
  } else {
    area.parameters.eccDetail.symmetric = symmetric;
    area.parameters.eccDetail.scheme.scheme = TPM2_ALG_NULL;
    area.parameters.eccDetail.curveID = TPM2_ECC_NIST_P256;
    area.parameters.eccDetail.kdf.scheme = TPM2_ALG_NULL;
  }
  return result;
}

// What a TPM answers to a template that it does not serve; a refused authorization is something else.
bool Unserved(std::uint32_t response_code) {
  // Bit 7 says that bit 6 and bits 8 to 11 say which parameter it is about.
  if ((response_code & 0x80) == 0) return false;
  switch (response_code & 0xbf) {
    case TPM2_RC_ASYMMETRIC:
    case TPM2_RC_CURVE:
    case TPM2_RC_KDF:
    case TPM2_RC_SCHEME:
    case TPM2_RC_TYPE:
    case TPM2_RC_VALUE:
      return true;
    default:
      return false;
  }
}

std::expected<StorageRoot, Failure> Create(Context& context, TPM2_ALG_ID algorithm, TPMA_OBJECT more) {
  const TPM2B_SENSITIVE_CREATE sensitive{};
  const TPM2B_PUBLIC area = Template(algorithm, more);
  const TPM2B_DATA outside{};
  const TPML_PCR_SELECTION none{};
  ESYS_TR handle = ESYS_TR_NONE;
  const TSS2_RC rc = context.tss().Esys_CreatePrimary(
      context.esys(), ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &area, &outside, &none,
      &handle, nullptr, nullptr, nullptr, nullptr);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_CreatePrimary", rc);
  Loaded key(context, handle);
  auto name = NameOf(context, handle);
  if (!name) return std::unexpected(name.error());
  return StorageRoot{std::move(key), algorithm, std::move(*name), {}};
}

}  // namespace

std::expected<Name, Failure> NameOf(Context& context, ESYS_TR handle) {
  TPM2B_NAME* name = nullptr;
  const TSS2_RC rc = context.tss().Esys_TR_GetName(context.esys(), handle, &name);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_TR_GetName", rc);
  const auto owned = Own(context, name);
  return Name(name->name, name->name + name->size);
}

std::expected<StorageRoot, Failure> CreateStorageRoot(Context& context, TPM2_ALG_ID algorithm, TPMA_OBJECT more) {
  if (algorithm != TPM2_ALG_ERROR) return Create(context, algorithm, more);
  auto ecc = Create(context, TPM2_ALG_ECC, more);
  return ecc || !Unserved(ecc.error().response_code) ? std::move(ecc) : Create(context, TPM2_ALG_RSA, more);
}

std::expected<StorageRoot, Failure> TakeStorageRoot(Context& context, std::span<const std::uint8_t> serialized) {
  ESYS_TR handle = ESYS_TR_NONE;
  const TSS2_RC rc =
      context.tss().Esys_TR_Deserialize(context.esys(), serialized.data(), serialized.size(), &handle);
  if (rc != TSS2_RC_SUCCESS) return Found(Condition::kBlob, "Esys_TR_Deserialize");
  Loaded key(context, handle, Loaded::End::kClose);
  auto name = NameOf(context, handle);
  if (!name) return std::unexpected(name.error());
  return StorageRoot{std::move(key), TPM2_ALG_ERROR, std::move(*name), {}};
}

std::expected<Loaded, Failure> StartSession(Context& context, ESYS_TR salt_key, TPM2_SE type, TPMA_SESSION attributes) {
  TPMT_SYM_DEF symmetric{};
  symmetric.algorithm = TPM2_ALG_AES;
  symmetric.keyBits.aes = 128;
  symmetric.mode.aes = TPM2_ALG_CFB;
  ESYS_TR handle = ESYS_TR_NONE;
  TSS2_RC rc = context.tss().Esys_StartAuthSession(context.esys(), salt_key, ESYS_TR_NONE, ESYS_TR_NONE,
                                                   ESYS_TR_NONE, ESYS_TR_NONE, nullptr, type, &symmetric,
                                                   TPM2_ALG_SHA256, &handle);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_StartAuthSession", rc);
  Loaded session(context, handle);
  rc = context.tss().Esys_TRSess_SetAttributes(context.esys(), handle, attributes, 0xff);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_TRSess_SetAttributes", rc);
  return session;
}

}  // namespace nodecore::tpm
