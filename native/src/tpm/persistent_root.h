// The storage root key that stays in the TPM: one for everybody, where the TCG's provisioning guidance has it.
#pragma once

#include <optional>

#include "tpm/storage_root.h"

namespace nodecore::tpm {

// Finds the key, or makes it and keeps it there. Unlike the one that is made from systemd's first template it is exempt from
// the dictionary attack protection: what is sealed under it without a PIN also opens while the TPM is locked out.
//
// Nothing where the place is taken by something else, or where the owner of the TPM does not let us fill it.
std::expected<std::optional<StorageRoot>, Failure> PersistentStorageRoot(Context& context);

// Whether a TPM refused because a key or a hierarchy has a password that we don't know.
bool WantsPassword(std::uint32_t response_code);

}  // namespace nodecore::tpm
