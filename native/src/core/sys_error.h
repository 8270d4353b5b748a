// A system call that failed: which one, and its errno. Facts only; the wording is TypeScript's.
#pragma once

#include <cerrno>
#include <expected>

namespace nodecore {

struct SysError {
  const char* syscall;
  int number;
};

inline std::unexpected<SysError> Failed(const char* syscall) noexcept {
  return std::unexpected(SysError{syscall, errno});
}

}  // namespace nodecore
