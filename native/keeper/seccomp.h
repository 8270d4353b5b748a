// What a program may not ask of the kernel.
#pragma once

namespace nodecore::keeper {

enum class Refusals {
  kNone,
  // Of programs of the system: whatever changes the kernel, the machine's mounts and namespaces, or other processes.
  kService,
  // Of those that extensions bring, which may be for disks, mounts and packets: what changes the kernel or ends the machine.
  kExtension,
};

// Has these calls fail with EPERM in the calling process and all that it starts, for ever; a call in the way of another
// architecture, whose numbers mean others, ends the process with SIGSYS. Nothing that it runs gets rights that it lacks.
// @returns 0, or the errno of the call that failed.
int RefuseCalls(Refusals refusals);

}  // namespace nodecore::keeper
