#include "tpm/context.h"

#include <string.h>

namespace nodecore::tpm {

std::expected<std::unique_ptr<Context>, Failure> Context::Connect(const std::string& tcti) {
  const auto tss = Tss::Get();
  if (!tss) return std::unexpected(tss.error());
  std::unique_ptr<Context> context(new Context(**tss));
  if (const TSS2_RC rc = (*tss)->Tss2_TctiLdr_Initialize(tcti.c_str(), &context->tcti_); rc != TSS2_RC_SUCCESS) {
    return Refused("Tss2_TctiLdr_Initialize", rc);
  }
  if (const TSS2_RC rc = (*tss)->Esys_Initialize(&context->esys_, context->tcti_, nullptr); rc != TSS2_RC_SUCCESS) {
    return Refused("Esys_Initialize", rc);
  }
  if (const auto started = context->Start(); !started) return std::unexpected(started.error());
  return context;
}

Context::~Context() {
  if (esys_ != nullptr) tss_.Esys_Finalize(&esys_);
  if (tcti_ != nullptr) tss_.Tss2_TctiLdr_Finalize(&tcti_);
}

std::expected<void, Failure> Context::Start() {
  // A question that every TPM 2.0 answers, unless nobody started it up yet.
  const auto ask = [this] {
    TPMS_CAPABILITY_DATA* data = nullptr;
    const TSS2_RC rc = tss_.Esys_GetCapability(esys_, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                                               TPM2_CAP_TPM_PROPERTIES, TPM2_PT_FIXED, 1, nullptr, &data);
    tss_.Esys_Free(data);
    return rc;
  };
  TSS2_RC rc = ask();
  if (rc == TPM2_RC_INITIALIZE) {
    rc = tss_.Esys_Startup(esys_, TPM2_SU_CLEAR);
    if (rc != TSS2_RC_SUCCESS && rc != TPM2_RC_INITIALIZE) return Refused("Esys_Startup", rc);
    rc = ask();
  }
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_GetCapability", rc);
  return {};
}

void Context::WipeResponse() noexcept {
  TSS2_SYS_CONTEXT* sys = nullptr;
  if (tss_.Esys_GetSysContext(esys_, &sys) != TSS2_RC_SUCCESS) return;
  const std::uint8_t* parameters = nullptr;
  std::size_t size = 0;
  if (tss_.Tss2_Sys_GetRpBuffer(sys, &size, &parameters) != TSS2_RC_SUCCESS) return;
  explicit_bzero(const_cast<std::uint8_t*>(parameters), size);
}

Loaded::~Loaded() {
  if (handle_ == ESYS_TR_NONE) return;
  const Tss& tss = context_->tss();
  // A TPM that does not flush has forgotten it or does not answer; there is nothing to do about either.
  if (end_ == End::kFlush) {
    if (tss.Esys_FlushContext(context_->esys(), handle_) == TSS2_RC_SUCCESS) return;
  }
  tss.Esys_TR_Close(context_->esys(), &handle_);
}

}  // namespace nodecore::tpm
