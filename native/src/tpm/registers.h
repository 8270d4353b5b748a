// Platform configuration registers, and what the TPM says about itself.
#pragma once

#include <cstdint>
#include <vector>

#include "tpm/policy.h"

namespace nodecore::tpm {

// Values one after the other, ascending, all read at one time. Registers that the bank does not have are left out.
std::expected<Bytes, Failure> ReadPcrs(Context& context, std::uint16_t algorithm, std::uint32_t mask);

std::expected<void, Failure> ExtendPcr(Context& context, std::uint32_t pcr, std::uint16_t algorithm,
                                       const Bytes& digest);

// TPM2_GetCapability as pairs: algorithm and attributes, bank and mask of registers, property and value.
std::expected<std::vector<std::uint32_t>, Failure> Capability(Context& context, std::uint32_t capability,
                                                              std::uint32_t property, std::uint32_t count);

}  // namespace nodecore::tpm
