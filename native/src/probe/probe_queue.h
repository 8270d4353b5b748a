// Runs probes on threads of its own, because a device may hang: a call that never returns would take a thread of libuv's
// pool with it, of which there are four for everything the process does, and libuv waits for its pool when the process
// ends. These threads are detached; one that hangs costs its stack and the device's descriptor. The kernel itself lets
// a process go only when the device returns.
//
// Owns: the queue and the eventfd, shared with the threads, which may outlive it.
// Threads: as many as asked for, plus one for each that hangs. Call it from one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <vector>

#include "core/sys_error.h"
#include "probe/probe_task.h"

namespace nodecore::probe {

struct Reply {
  std::uint32_t id;
  std::expected<Result, SysError> result;
};

class ProbeQueue {
 public:
  static std::expected<ProbeQueue, SysError> Open(unsigned threads);

  ProbeQueue(ProbeQueue&&) noexcept = default;
  ProbeQueue& operator=(ProbeQueue&&) = delete;
  ~ProbeQueue();

  void Submit(std::uint32_t id, Task task);

  // Does no longer wait for a task: another thread takes the place of the one that runs it. The answer comes
  // nevertheless, whenever that is. False when the task does not run (yet, or any more), or no thread can be had.
  bool Replace(std::uint32_t id);

  std::vector<Reply> Receive();

  // Readable while replies wait.
  int fd() const noexcept;

 private:
  struct State;
  static bool Spawn(const std::shared_ptr<State>& state);
  static void Work(std::shared_ptr<State> state);

  explicit ProbeQueue(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace nodecore::probe
