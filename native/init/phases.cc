#include "phases.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "kmsg.h"

namespace nodecore::init {

namespace {

constexpr std::uint16_t kSessions = 0x8002;
constexpr std::uint32_t kPcrEvent = 0x13c;
constexpr std::uint32_t kPasswordSession = 0x40000009;

void Put(std::vector<std::uint8_t>& bytes, std::uint32_t value, int size) {
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
}

std::uint32_t Read32(std::span<const std::uint8_t> bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

}  // namespace

std::vector<std::uint8_t> PcrEventCommand(std::uint32_t pcr, std::string_view word) {
  std::vector<std::uint8_t> bytes;
  const auto size = static_cast<std::uint32_t>(10 + 4 + 4 + 9 + 2 + word.size());
  Put(bytes, kSessions, 2);
  Put(bytes, size, 4);
  Put(bytes, kPcrEvent, 4);
  Put(bytes, pcr, 4);
  Put(bytes, 9, 4);  // the authorization: an empty password
  Put(bytes, kPasswordSession, 4);
  Put(bytes, 0, 2);
  Put(bytes, 0, 1);
  Put(bytes, 0, 2);
  Put(bytes, static_cast<std::uint32_t>(word.size()), 2);
  bytes.insert(bytes.end(), word.begin(), word.end());
  return bytes;
}

std::optional<std::uint32_t> ResponseCode(std::span<const std::uint8_t> answer) {
  if (answer.size() < 10 || Read32(answer.subspan(2)) != answer.size()) return std::nullopt;
  return Read32(answer.subspan(6));
}

void EnterPhase(std::string_view phase) {
  const int tpm = open("/dev/tpm0", O_RDWR | O_CLOEXEC);
  if (tpm < 0) {
    if (errno != ENOENT) Log("tpm0: open: %s", strerror(errno));
    return;
  }
  const auto command = PcrEventCommand(kPhaseRegister, phase);
  std::array<std::uint8_t, 4096> answer;
  ssize_t size = write(tpm, command.data(), command.size());
  if (size == static_cast<ssize_t>(command.size())) size = read(tpm, answer.data(), answer.size());
  const int number = errno;
  close(tpm);
  if (size < 0) return Log("tpm0: phase %.*s: %s", static_cast<int>(phase.size()), phase.data(), strerror(number));
  const auto code = ResponseCode(std::span(answer).first(static_cast<std::size_t>(size)));
  if (code != 0u) Log("tpm0: phase %.*s: response 0x%x", static_cast<int>(phase.size()), phase.data(), code.value_or(~0u));
}

}  // namespace nodecore::init
