#include "tpm/persistent_root.h"

namespace nodecore::tpm {

namespace {

// TCG TPM v2.0 Provisioning Guidance, 7.8: the handle of the owner's storage root key.
constexpr TPM2_HANDLE kHandle = 0x81000001;

// Bit 7 of a response code says that bit 6 and bits 8 to 11 say which handle, parameter or session it is about.
std::uint32_t Base(std::uint32_t response_code) {
  return (response_code & 0x80) == 0 ? response_code & 0xfff : response_code & 0xbf;
}

// Refusals that leave the first template to seal under. Every other failure would happen there, too, or passes.
bool Forbidden(std::uint32_t response_code) {
  switch (Base(response_code)) {
    case TPM2_RC_ATTRIBUTES:
    case TPM2_RC_HIERARCHY:
    case TPM2_RC_NV_SPACE:
    case TPM2_RC_NV_DEFINED:
    case TPM2_RC_COMMAND_CODE:
      return true;
    default:
      return WantsPassword(response_code);
  }
}

// A parent that is safe to seal under: it was made in this TPM and can't leave it, encrypts what it is the parent of, has no
// other use, and asks for a password at most, which then is not counted.
bool IsStorageRoot(const TPMT_PUBLIC& area) {
  constexpr TPMA_OBJECT kWanted = kStorageRootAttributes | TPMA_OBJECT_NODA;
  if ((area.objectAttributes & kWanted) != kWanted || (area.objectAttributes & TPMA_OBJECT_SIGN_ENCRYPT) != 0) return false;
  if (area.nameAlg != TPM2_ALG_SHA256) return false;
  if (area.type == TPM2_ALG_ECC) return area.parameters.eccDetail.symmetric.algorithm == TPM2_ALG_AES;
  return area.type == TPM2_ALG_RSA && area.parameters.rsaDetail.symmetric.algorithm == TPM2_ALG_AES;
}

std::expected<TPMT_PUBLIC, Failure> PublicOf(Context& context, ESYS_TR handle) {
  TPM2B_PUBLIC* area = nullptr;
  const TSS2_RC rc = context.tss().Esys_ReadPublic(context.esys(), handle, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &area,
                                                   nullptr, nullptr);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_ReadPublic", rc);
  return Own(context, area)->publicArea;
}

std::expected<StorageRoot, Failure> Described(Context& context, Loaded key, TPM2_ALG_ID algorithm) {
  auto name = NameOf(context, key.get());
  if (!name) return std::unexpected(name.error());
  std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
  const TSS2_RC rc = context.tss().Esys_TR_Serialize(context.esys(), key.get(), &bytes, &size);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_TR_Serialize", rc);
  const auto owned = Own(context, bytes);
  return StorageRoot{std::move(key), algorithm, std::move(*name), std::vector<std::uint8_t>(bytes, bytes + size)};
}

// What is there: the key, something else (no value), or nothing, which the TPM reports as a refusal of the handle.
std::expected<std::optional<StorageRoot>, Failure> Find(Context& context) {
  ESYS_TR handle = ESYS_TR_NONE;
  const TSS2_RC rc = context.tss().Esys_TR_FromTPMPublic(context.esys(), kHandle, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                                                         &handle);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_TR_FromTPMPublic", rc);
  Loaded key(context, handle, Loaded::End::kClose);
  const auto area = PublicOf(context, handle);
  if (!area) return std::unexpected(area.error());
  if (!IsStorageRoot(*area)) return std::nullopt;
  return Described(context, std::move(key), area->type);
}

std::expected<StorageRoot, Failure> Keep(Context& context) {
  auto made = CreateStorageRoot(context, TPM2_ALG_ERROR, TPMA_OBJECT_NODA);
  if (!made) return made;
  ESYS_TR handle = ESYS_TR_NONE;
  const TSS2_RC rc =
      context.tss().Esys_EvictControl(context.esys(), ESYS_TR_RH_OWNER, made->key.get(), ESYS_TR_PASSWORD, ESYS_TR_NONE,
                                      ESYS_TR_NONE, kHandle, &handle);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_EvictControl", rc);
  return Described(context, Loaded(context, handle, Loaded::End::kClose), made->algorithm);
}

}  // namespace

bool WantsPassword(std::uint32_t response_code) {
  const std::uint32_t base = Base(response_code);
  return base == TPM2_RC_AUTH_FAIL || base == TPM2_RC_BAD_AUTH;
}

std::expected<std::optional<StorageRoot>, Failure> PersistentStorageRoot(Context& context) {
  auto found = Find(context);
  if (found || Base(found.error().response_code) != TPM2_RC_HANDLE) return found;
  auto kept = Keep(context);
  if (kept) return std::optional(std::move(*kept));
  // Somebody else was faster.
  if (Base(kept.error().response_code) == TPM2_RC_NV_DEFINED) return Find(context);
  if (Forbidden(kept.error().response_code)) return std::nullopt;
  return std::unexpected(kept.error());
}

}  // namespace nodecore::tpm
