// Secrets that the TPM gives back only in the state of the machine that their policy asks for.
#pragma once

#include <cstdint>
#include <optional>

#include "tpm/policy.h"
#include "tpm/secret_bytes.h"

namespace nodecore::tpm {

struct SealRequest {
  // TPM2_ALG_ERROR: under the key that stays in the TPM, where it can be had; else see CreateStorageRoot.
  std::uint16_t primary_algorithm;
  SecretBytes secret;
  SecretBytes auth;
  Bytes policy_digest;
  Policy policy;
};

struct Sealed {
  Bytes blob;  // TPM2B_PRIVATE ‖ TPM2B_PUBLIC
  Name key_name;
  std::uint16_t primary_algorithm;
  Bytes storage_root;  // serialized; empty when the key was made from the template
};

// Seals and proves it: unseals and compares, or where the policy can only be tried, compares the digest that the TPM
// computes for it and loads the object.
std::expected<Sealed, Failure> Seal(Context& context, const SealRequest& request);

struct UnsealRequest {
  std::uint16_t primary_algorithm;
  std::optional<Bytes> storage_root;  // serialized; instead of the template
  std::optional<Name> key_name;       // what the storage root key must be called
  Bytes blob;
  SecretBytes auth;
  Bytes policy_digest;
  Policy policy;
};

std::expected<SecretBytes, Failure> Unseal(Context& context, const UnsealRequest& request);

}  // namespace nodecore::tpm
