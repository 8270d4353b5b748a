// How a snapshot's way through a sink or a check has ended.
#pragma once

#include <optional>

#include "core/sys_error.h"
#include "snapshot/check.h"

namespace nodecore::snapshot {

struct Result {
  // Undefined when something failed before everything was seen.
  std::optional<Verdict> verdict;
  std::optional<SysError> failure;
  // As it was asked to; nothing is left.
  bool abandoned = false;
};

}  // namespace nodecore::snapshot
