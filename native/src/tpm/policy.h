// The steps of a policy, taken in a session.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tpm/storage_root.h"

namespace nodecore::tpm {

using Bytes = std::vector<std::uint8_t>;

// An RSA key whose holder approves of registers' values.
struct Authorization {
  Bytes modulus;
  std::uint32_t exponent;
  std::uint16_t pcr_algorithm;
  std::uint32_t pcr_mask;
  // Absent in a trial: the policy that was approved, its SHA-256, and the signature over that.
  Bytes approved;
  Bytes approved_digest;
  Bytes signature;
};

struct Policy {
  std::optional<Authorization> authorization;
  std::uint16_t pcr_algorithm;
  std::uint32_t pcr_mask;
  bool auth_value;

  // Without a signature it can only be tried, not fulfilled.
  bool trial() const noexcept { return authorization && authorization->signature.empty(); }
};

TPML_PCR_SELECTION Selection(std::uint16_t algorithm, std::uint32_t mask);

// A session with all steps taken, and compared with the digest that it must have reached.
std::expected<Loaded, Failure> FulfilPolicy(Context& context, const StorageRoot& root, const Policy& policy,
                                            const Bytes& digest);

}  // namespace nodecore::tpm
