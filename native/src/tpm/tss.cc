#include "tpm/tss.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

namespace nodecore::tpm {

namespace {

// Node exports an OpenSSL of its own, and libtss2 would find its symbols before those of the libcrypto it was built for.
// AddressSanitizer refuses the flag; there both share Node's.
#ifdef __SANITIZE_ADDRESS__
constexpr int kOwnSymbolsFirst = 0;
#else
constexpr int kOwnSymbolsFirst = RTLD_DEEPBIND;
#endif

constexpr const char* kEsys = "libtss2-esys.so.0";
constexpr const char* kLoader = "libtss2-tctildr.so.0";

std::unexpected<Failure> Missing(const char* call, const char* library) {
  return std::unexpected(Failure{Condition::kLibrary, call, 0, library});
}

template <typename Function>
bool Resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

// OpenSSL tears itself down when the process ends, while a thread of ours may be in the middle of a session.
void KeepOpenSslUntilTheEnd(void* library) {
  constexpr std::uint64_t kNoAtexit = 0x00080000;
  int (*init)(std::uint64_t, const void*) = nullptr;
  if (Resolve(library, "OPENSSL_init_crypto", init)) init(kNoAtexit, nullptr);
}

std::expected<Tss, Failure> Load() {
  // The libraries print to our standard error by default.
  setenv("TSS2_LOG", "all+NONE", 0);
  const int flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE | kOwnSymbolsFirst;
  void* const esys = dlopen(kEsys, flags);
  if (esys == nullptr) return Missing("dlopen", kEsys);
  void* const loader = dlopen(kLoader, flags);
  if (loader == nullptr) return Missing("dlopen", kLoader);
  KeepOpenSslUntilTheEnd(esys);
  Tss tss{};
// dlsym(3) also looks into what a library depends on: libtss2-mu and libtss2-sys are there.
#define NODECORE_TSS_RESOLVE(name) \
  if (!Resolve(esys, #name, tss.name)) return Missing(#name, kEsys);
  NODECORE_TSS_ESYS(NODECORE_TSS_RESOLVE)
  NODECORE_TSS_OTHERS(NODECORE_TSS_RESOLVE)
#undef NODECORE_TSS_RESOLVE
#define NODECORE_TSS_RESOLVE(name) \
  if (!Resolve(loader, #name, tss.name)) return Missing(#name, kLoader);
  NODECORE_TSS_LOADER(NODECORE_TSS_RESOLVE)
#undef NODECORE_TSS_RESOLVE
  return tss;
}

}  // namespace

std::expected<const Tss*, Failure> Tss::Get() {
  static const std::expected<Tss, Failure> loaded = Load();
  if (!loaded) return std::unexpected(loaded.error());
  return &*loaded;
}

}  // namespace nodecore::tpm
