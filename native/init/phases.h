// Phases of the boot in the TPM: what is sealed to one of them opens in it and not later.
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
// is what TPM2_PCR_Extend with the word's digest gives, and no bank is left out that somebody could seal to.
std::vector<std::uint8_t> PcrEventCommand(std::uint32_t pcr, std::string_view word);

// The TPM's response code; nothing when the answer is too short to be one.
std::optional<std::uint32_t> ResponseCode(std::span<const std::uint8_t> answer);

// Extends register 11 by the phase. Nothing happens without a TPM. A failure is told and the boot goes on: what is sealed to a
// phase stays shut then.
void EnterPhase(std::string_view phase);

}  // namespace nodecore::init
