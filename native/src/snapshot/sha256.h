// SHA-256 by libcrypto, which knows every processor's instructions for it: the one that Node carries and exports, or the
// system's.
//
// Its old calls, not EVP: they keep nothing outside their state, so a process may end while a thread is in the middle.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <span>

#include "core/sys_error.h"

namespace nodecore::snapshot {

using Digest = std::array<std::byte, 32>;

class Sha256 {
 public:
  // ENOENT of dlopen when there is no libcrypto.
  static std::expected<Sha256, SysError> Begin();

  void Update(std::span<const std::byte> bytes) noexcept;
  Digest Finish() noexcept;

 private:
  struct Library;
  static const Library* Get();
  explicit Sha256(const Library* library) noexcept;

  const Library* library_;
  // SHA256_CTX has 112 bytes since OpenSSL 0.9.8; room for one that grows.
  alignas(16) std::array<std::byte, 256> state_{};
};

}  // namespace nodecore::snapshot
