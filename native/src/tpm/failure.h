// Why the TPM could not do what it was asked. Facts only; the wording is TypeScript's.
#pragma once

#include <cstdint>
#include <expected>

namespace nodecore::tpm {

enum class Condition : std::uint8_t {
  kResponse,  // a call failed, here or in the TPM
  kLibrary,   // libtss2 can't be loaded
  kKey,       // the storage root key is not the expected one
  kPolicy,    // the machine's state does not fulfil the policy
  kProof,     // what came back is not what was sealed
  kBlob,      // the sealed bytes are no object
};

struct Failure {
  Condition condition;
  const char* call;
  std::uint32_t response_code = 0;
  const char* library = "";
};

inline std::unexpected<Failure> Refused(const char* call, std::uint32_t response_code) noexcept {
  return std::unexpected(Failure{Condition::kResponse, call, response_code});
}

inline std::unexpected<Failure> Found(Condition condition, const char* call) noexcept {
  return std::unexpected(Failure{condition, call});
}

}  // namespace nodecore::tpm
