// One connection to a TPM: the TCTI that carries bytes and the ESYS context above it, and what is loaded through it.
//
// Owns: the connection, closed in the destructor.
// Threads: none of its own. Call it from one thread at a time; every call may block for as long as the TPM takes.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <utility>

#include "tpm/tss.h"

namespace nodecore::tpm {

class Context {
 public:
  // Connects, and starts the TPM up where no firmware did.
  static std::expected<std::unique_ptr<Context>, Failure> Connect(const std::string& tcti);

  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  const Tss& tss() const noexcept { return tss_; }
  ESYS_CONTEXT* esys() const noexcept { return esys_; }

  // Overwrites what the last answer left in the library's buffer: it decrypts in place.
  void WipeResponse() noexcept;

 private:
  explicit Context(const Tss& tss) noexcept : tss_(tss) {}
  std::expected<void, Failure> Start();

  const Tss& tss_;
  TSS2_TCTI_CONTEXT* tcti_ = nullptr;
  ESYS_CONTEXT* esys_ = nullptr;
};

// Memory that ESYS allocated for an answer.
struct EsysFree {
  const Tss* tss;
  void operator()(void* pointer) const noexcept { tss->Esys_Free(pointer); }
};
template <typename T>
using Answer = std::unique_ptr<T, EsysFree>;

template <typename T>
Answer<T> Own(const Context& context, T* pointer) {
  return Answer<T>(pointer, EsysFree{&context.tss()});
}

// An object or a session in the TPM's small memory, flushed in the destructor; one that stays there is only closed.
class Loaded {
 public:
  enum class End { kFlush, kClose };

  Loaded(Context& context, ESYS_TR handle, End end = End::kFlush) noexcept
      : context_(&context), handle_(handle), end_(end) {}
  Loaded(Loaded&& other) noexcept
      : context_(other.context_), handle_(std::exchange(other.handle_, ESYS_TR_NONE)), end_(other.end_) {}
  Loaded& operator=(Loaded&&) = delete;
  ~Loaded();

  ESYS_TR get() const noexcept { return handle_; }

 private:
  Context* context_;
  ESYS_TR handle_;
  End end_;
};

}  // namespace nodecore::tpm
