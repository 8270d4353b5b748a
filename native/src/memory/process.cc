#include "memory/process.h"

#include <malloc.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace nodecore::memory {

std::expected<void, SysError> ForbidDumps() noexcept {
  const rlimit none{0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return Failed("setrlimit");
  // A core_pattern that is a pipe disregards the limit; this it does not.
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return Failed("prctl");
  return {};
}

void WipeFreedMemory() noexcept {
  // Freed bytes become 0xff, and new ones its complement.
  mallopt(M_PERTURB, 0xff);
}

[[gnu::noinline]] void WipeStack() noexcept {
  char below[256 * 1024];
  explicit_bzero(below, sizeof below);
}

}  // namespace nodecore::memory
