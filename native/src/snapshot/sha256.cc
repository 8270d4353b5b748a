#include "snapshot/sha256.h"

#include <dlfcn.h>

#include <cerrno>

namespace nodecore::snapshot {

struct Sha256::Library {
  int (*init)(void*) = nullptr;
  int (*update)(void*, const void*, std::size_t) = nullptr;
  int (*final)(unsigned char*, void*) = nullptr;

  bool Resolve(void* from) noexcept {
    init = reinterpret_cast<decltype(init)>(dlsym(from, "SHA256_Init"));
    update = reinterpret_cast<decltype(update)>(dlsym(from, "SHA256_Update"));
    final = reinterpret_cast<decltype(final)>(dlsym(from, "SHA256_Final"));
    return init != nullptr && update != nullptr && final != nullptr;
  }
};

const Sha256::Library* Sha256::Get() {
  static const Library library = [] {
    Library found;
    if (found.Resolve(RTLD_DEFAULT)) return found;
    void* const system = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (system == nullptr || !found.Resolve(system)) return Library{};
    return found;
  }();
  return library.init == nullptr ? nullptr : &library;
}

std::expected<Sha256, SysError> Sha256::Begin() {
  const Library* const library = Get();
  if (library == nullptr) return std::unexpected(SysError{"dlopen", ENOENT});
  return Sha256(library);
}

Sha256::Sha256(const Library* library) noexcept : library_(library) { library_->init(state_.data()); }

void Sha256::Update(std::span<const std::byte> bytes) noexcept {
  library_->update(state_.data(), bytes.data(), bytes.size());
}

Digest Sha256::Finish() noexcept {
  Digest digest;
  library_->final(reinterpret_cast<unsigned char*>(digest.data()), state_.data());
  return digest;
}

}  // namespace nodecore::snapshot
