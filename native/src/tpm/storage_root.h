// The storage root key, the parent of everything that is sealed, and sessions that only it can read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tpm/context.h"

namespace nodecore::tpm {

// A name: hash algorithm ‖ digest of the public area.
using Name = std::vector<std::uint8_t>;

struct StorageRoot {
  Loaded key;
  TPM2_ALG_ID algorithm;
  Name name;
  std::vector<std::uint8_t> serialized;  // where to find it again; empty for a key that is made anew each time
};

// What every storage root key is: made in this TPM, unable to leave it, and good for nothing but being a parent.
inline constexpr TPMA_OBJECT kStorageRootAttributes = TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT | TPMA_OBJECT_FIXEDTPM |
                                                      TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN |
                                                      TPMA_OBJECT_USERWITHAUTH;

// Makes the key from its template, the same in every run until the TPM is cleared. `algorithm` is TPM2_ALG_ECC,
// TPM2_ALG_RSA, or TPM2_ALG_ERROR for the first of the two that the TPM has; `more`: attributes beyond systemd's first
// template.
std::expected<StorageRoot, Failure> CreateStorageRoot(Context& context, TPM2_ALG_ID algorithm, TPMA_OBJECT more = 0);

std::expected<Name, Failure> NameOf(Context& context, ESYS_TR handle);

// Takes a key that stays in the TPM, from a handle that was serialized when something was sealed under it.
std::expected<StorageRoot, Failure> TakeStorageRoot(Context& context, std::span<const std::uint8_t> serialized);

// A session whose key is encrypted to `salt_key`, or that has none (ESYS_TR_NONE); parameters are encrypted with AES-128-CFB
// both ways when `attributes` say so.
std::expected<Loaded, Failure> StartSession(Context& context, ESYS_TR salt_key, TPM2_SE type, TPMA_SESSION attributes);

}  // namespace nodecore::tpm
