// Boot phases in the TPM: a secret that is sealed to a phase opens in it and not later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nodecore::init {

inline constexpr std::string_view kEnterInitrd = "enter-initrd";
inline constexpr std::string_view kLeaveInitrd = "leave-initrd";
inline constexpr std::string_view kEnterMachined = "enter-machined";

inline constexpr std::uint32_t kPhaseRegister = 11;

// TPM2_PCR_Event: the TPM itself hashes the word, without a NUL, for every active bank and extends the register by it. The value
// equals TPM2_PCR_Extend with the word's digest, and no bank that a secret could be sealed to is left out.
std::vector<std::uint8_t> PcrEventCommand(std::uint32_t pcr, std::string_view word);

// The TPM's response code; nothing when the answer is too short to be one.
std::optional<std::uint32_t> ResponseCode(std::span<const std::uint8_t> answer);

// Extends register 11 by the phase. Does nothing without a TPM. Logs a failure and goes on: secrets that are sealed to a
// phase then stay closed.
void EnterPhase(std::string_view phase);

}  // namespace nodecore::init
