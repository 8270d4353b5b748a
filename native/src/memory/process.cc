#include "memory/process.h"

#include <malloc.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <array>
#include <cstdlib>

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

namespace {

[[gnu::noinline]] void WipeStack() noexcept {
  char below[256 * 1024];
  explicit_bzero(below, sizeof below);
}

// glibc's cache has a list of 7 blocks for each size from 24 to 1032 bytes in steps of 16, last in, first out. A caller that asks for more
// than that has had all of them.
void WipeThreadCache() noexcept {
  std::array<void*, 32> blocks;
  for (std::size_t size = 24; size <= 1032; size += 16) {
    for (void*& block : blocks) {
      block = std::malloc(size);
      if (block != nullptr) explicit_bzero(block, size);
    }
    for (void* block : blocks) std::free(block);
  }
}

}  // namespace

void WipeTraces() noexcept {
  WipeStack();
  WipeThreadCache();
}

}  // namespace nodecore::memory
