// Every process of a /proc, with the threads of the kernel.
//
// Threads: any; it blocks.
#pragma once

#include <atomic>
#include <expected>
#include <functional>
#include <string>

#include "core/sys_error.h"
#include "inspect/table.h"

namespace nodecore::inspect {

// Numbers of a row: pid, parent, state (a character), threads, seconds of processors, bytes of virtual and of resident memory, uid,
// microseconds from the boot to its start, whether it is a thread of the kernel, nice. Texts: command, executable, arguments with a NUL
// behind each, label, cgroup.
inline constexpr int kProcessNumbers = 11;
inline constexpr int kProcessTexts = 5;

// A process that ends while it is read is left out. ECANCELED when the flag is set.
std::expected<Table, SysError> ReadProcesses(const std::string& proc, const std::atomic<bool>& cancelled);

// Calls with the number of each process, and its directory, opened, until an error.
std::expected<void, SysError> ForEachProcess(const std::string& proc, const std::atomic<bool>& cancelled,
                                             const std::function<std::expected<void, SysError>(int pid, int directory)>& visit);

}  // namespace nodecore::inspect
