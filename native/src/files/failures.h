// What could not be looked at, as messages of nodecore.v1.FileFailure.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "core/sys_error.h"
#include "files/wire.h"

namespace nodecore::files {

// Adds one to a list of them.
inline void AddFailure(std::string& out, std::uint32_t field, std::string_view path, SysError error) {
  const char* name = strerrorname_np(error.number);
  std::string message;
  Wire wire(message);
  wire.Bytes(1, path);
  wire.Bytes(2, name == nullptr ? "EIO" : name);
  wire.Bytes(3, error.syscall);
  Wire(out).Message(field, message);
}

}  // namespace nodecore::files
