#include "tpm/policy.h"

#include <algorithm>
#include <cstring>

namespace nodecore::tpm {

namespace {

// A TPM2B from bytes; what does not fit is cut, and the TPM refuses it.
template <typename Sized>
Sized Fill(const Bytes& bytes) {
  Sized result{};
  result.size = static_cast<std::uint16_t>(std::min(bytes.size(), sizeof result.buffer));
  if (result.size > 0) std::memcpy(result.buffer, bytes.data(), result.size);
  return result;
}

// As systemd makes an object of the key: its name is part of the policy.
TPM2B_PUBLIC PublicArea(const Authorization& authorization) {
  TPM2B_PUBLIC result{};
  TPMT_PUBLIC& area = result.publicArea;
  area.type = TPM2_ALG_RSA;
  area.nameAlg = TPM2_ALG_SHA256;
  area.objectAttributes = TPMA_OBJECT_DECRYPT | TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_USERWITHAUTH;
  area.parameters.rsaDetail.symmetric.algorithm = TPM2_ALG_NULL;
  area.parameters.rsaDetail.scheme.scheme = TPM2_ALG_NULL;
  area.parameters.rsaDetail.keyBits = static_cast<std::uint16_t>(authorization.modulus.size() * 8);
  area.parameters.rsaDetail.exponent = authorization.exponent;
  area.unique.rsa = Fill<TPM2B_PUBLIC_KEY_RSA>(authorization.modulus);
  return result;
}

std::expected<void, Failure> PolicyPcr(Context& context, ESYS_TR session, std::uint16_t algorithm, std::uint32_t mask) {
  const TPML_PCR_SELECTION selection = Selection(algorithm, mask);
  const TSS2_RC rc = context.tss().Esys_PolicyPCR(context.esys(), session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                                                  nullptr, &selection);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_PolicyPCR", rc);
  return {};
}

// Has the TPM verify the signature of the approved policy.
std::expected<TPMT_TK_VERIFIED, Failure> Verify(Context& context, const Authorization& authorization, ESYS_TR key) {
  const auto digest = Fill<TPM2B_DIGEST>(authorization.approved_digest);
  TPMT_SIGNATURE signature{};
  signature.sigAlg = TPM2_ALG_RSASSA;
  signature.signature.rsassa.hash = TPM2_ALG_SHA256;
  signature.signature.rsassa.sig = Fill<TPM2B_PUBLIC_KEY_RSA>(authorization.signature);
  TPMT_TK_VERIFIED* ticket = nullptr;
  const TSS2_RC rc = context.tss().Esys_VerifySignature(context.esys(), key, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                                                        &digest, &signature, &ticket);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_VerifySignature", rc);
  return *Own(context, ticket);
}

std::expected<void, Failure> Authorize(Context& context, ESYS_TR session, const Authorization& authorization,
                                       bool trial) {
  const Tss& tss = context.tss();
  const TPM2B_PUBLIC area = PublicArea(authorization);
  ESYS_TR handle = ESYS_TR_NONE;
  TSS2_RC rc = tss.Esys_LoadExternal(context.esys(), ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, nullptr, &area,
                                     ESYS_TR_RH_OWNER, &handle);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_LoadExternal", rc);
  const Loaded key(context, handle);
  TPM2B_NAME* name = nullptr;
  rc = tss.Esys_TR_GetName(context.esys(), handle, &name);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_TR_GetName", rc);
  const auto owned = Own(context, name);

  // A trial checks no ticket, but wants one of the right form.
  TPMT_TK_VERIFIED ticket{};
  ticket.tag = TPM2_ST_VERIFIED;
  ticket.hierarchy = TPM2_RH_OWNER;
  if (!trial) {
    const auto step = PolicyPcr(context, session, authorization.pcr_algorithm, authorization.pcr_mask);
    if (!step) return step;
    const auto verified = Verify(context, authorization, handle);
    if (!verified) return std::unexpected(verified.error());
    ticket = *verified;
  }
  const auto approved = Fill<TPM2B_DIGEST>(authorization.approved);
  const TPM2B_NONCE reference{};
  rc = tss.Esys_PolicyAuthorize(context.esys(), session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &approved, &reference,
                                name, &ticket);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_PolicyAuthorize", rc);
  return {};
}

std::expected<void, Failure> Compare(Context& context, ESYS_TR session, const Bytes& digest) {
  TPM2B_DIGEST* reached = nullptr;
  const TSS2_RC rc = context.tss().Esys_PolicyGetDigest(context.esys(), session, ESYS_TR_NONE, ESYS_TR_NONE,
                                                        ESYS_TR_NONE, &reached);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_PolicyGetDigest", rc);
  const auto owned = Own(context, reached);
  if (!std::ranges::equal(std::span(reached->buffer, reached->size), digest)) {
    return Found(Condition::kPolicy, "Esys_PolicyGetDigest");
  }
  return {};
}

}  // namespace

TPML_PCR_SELECTION Selection(std::uint16_t algorithm, std::uint32_t mask) {
  TPML_PCR_SELECTION selection{};
  selection.count = 1;
  selection.pcrSelections[0].hash = algorithm;
  selection.pcrSelections[0].sizeofSelect = 3;
  for (unsigned n = 0; n < 3; ++n) {
    selection.pcrSelections[0].pcrSelect[n] = static_cast<std::uint8_t>(mask >> (8 * n));
  }
  return selection;
}

std::expected<Loaded, Failure> FulfilPolicy(Context& context, const StorageRoot& root, const Policy& policy,
                                            const Bytes& digest) {
  const bool trial = policy.trial();
  // With an authorization value its HMAC goes over the bus: without a salt somebody there could guess at the PIN. What else
  // there is to protect is protected by the session that encrypts.
  const ESYS_TR salt_key = policy.auth_value ? root.key.get() : ESYS_TR_NONE;
  auto session =
      StartSession(context, salt_key, trial ? TPM2_SE_TRIAL : TPM2_SE_POLICY, TPMA_SESSION_CONTINUESESSION);
  if (!session) return session;
  if (policy.authorization) {
    const auto step = Authorize(context, session->get(), *policy.authorization, trial);
    if (!step) return std::unexpected(step.error());
  }
  if (policy.pcr_mask != 0) {
    const auto step = PolicyPcr(context, session->get(), policy.pcr_algorithm, policy.pcr_mask);
    if (!step) return std::unexpected(step.error());
  }
  if (policy.auth_value) {
    const TSS2_RC rc = context.tss().Esys_PolicyAuthValue(context.esys(), session->get(), ESYS_TR_NONE, ESYS_TR_NONE,
                                                          ESYS_TR_NONE);
    if (rc != TSS2_RC_SUCCESS) return Refused("Esys_PolicyAuthValue", rc);
  }
  const auto compared = Compare(context, session->get(), digest);
  if (!compared) return std::unexpected(compared.error());
  return session;
}

}  // namespace nodecore::tpm
