// libtss2-esys, libtss2-mu, libtss2-sys and libtss2-tctildr, loaded at first use: a machine without them loads the addon
// for everything else.
#pragma once

#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_sys.h>
#include <tss2/tss2_tctildr.h>

#include <expected>

#include "tpm/failure.h"

namespace nodecore::tpm {

#define NODECORE_TSS_ESYS(F)                                                                                         \
  F(Esys_Initialize) F(Esys_Finalize) F(Esys_Free) F(Esys_GetSysContext) F(Esys_Startup) F(Esys_FlushContext)        \
  F(Esys_TR_Close) F(Esys_TR_Deserialize)   \
  F(Esys_TR_Serialize) F(Esys_TR_FromTPMPublic) F(Esys_ReadPublic) F(Esys_EvictControl) F(Esys_TR_GetName) F(Esys_TR_SetAuth) F(Esys_TRSess_SetAttributes)         \
  F(Esys_CreatePrimary) F(Esys_StartAuthSession) F(Esys_Create) F(Esys_Load) F(Esys_LoadExternal) F(Esys_Unseal)     \
  F(Esys_VerifySignature) F(Esys_PolicyPCR) F(Esys_PolicyAuthorize) F(Esys_PolicyAuthValue) F(Esys_PolicyGetDigest)  \
  F(Esys_PCR_Read) F(Esys_PCR_Extend) F(Esys_GetCapability)
#define NODECORE_TSS_OTHERS(F)                                                                                       \
  F(Tss2_MU_TPM2B_PRIVATE_Marshal) F(Tss2_MU_TPM2B_PRIVATE_Unmarshal) F(Tss2_MU_TPM2B_PUBLIC_Marshal)                \
  F(Tss2_MU_TPM2B_PUBLIC_Unmarshal) F(Tss2_Sys_GetRpBuffer)
#define NODECORE_TSS_LOADER(F) F(Tss2_TctiLdr_Initialize) F(Tss2_TctiLdr_Finalize)

// The libraries' functions under their own names.
struct Tss {
#define NODECORE_TSS_MEMBER(name) decltype(&::name) name;
  NODECORE_TSS_ESYS(NODECORE_TSS_MEMBER)
  NODECORE_TSS_OTHERS(NODECORE_TSS_MEMBER)
  NODECORE_TSS_LOADER(NODECORE_TSS_MEMBER)
#undef NODECORE_TSS_MEMBER

  // Loads once per process; from any thread. The libraries stay loaded.
  static std::expected<const Tss*, Failure> Get();
};

}  // namespace nodecore::tpm
