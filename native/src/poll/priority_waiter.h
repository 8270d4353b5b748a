// A promise that resolves when a descriptor has an exceptional condition (POLLPRI): a pressure trigger that fired.
//
// The kernel forgets the condition when somebody asks for it, and adding a descriptor to epoll asks: what came before
// would be lost. So this one polls from its beginning to its end, and keeps what came while nobody waited: as one.
//
// Owns: the poll handle, and while somebody waits, a reference that keeps the waiting object from the collector.
// Threads: the environment's.
#pragma once

#include <napi.h>

#include <functional>
#include <optional>

#include "poll/poll_handle.h"

namespace nodecore::poll {

class PriorityWaiter {
 public:
  // As Waiter's.
  PriorityWaiter(Napi::Env env, int fd, std::function<void()> on_teardown);
  PriorityWaiter(const PriorityWaiter&) = delete;
  PriorityWaiter& operator=(const PriorityWaiter&) = delete;
  ~PriorityWaiter();

  // When it fired, in ns of CLOCK_MONOTONIC; false when the descriptor was closed first. One waiter at a time.
  Napi::Value Wait(Napi::Object owner);
  // Whether a wait keeps the loop alive; without one it doesn't.
  void KeepAlive(bool value);
  // Call it while JavaScript runs; the destructor alone leaves a waiting promise unanswered.
  void Answer(bool fired);

 private:
  void OnPriority();

  Napi::Env env_;
  std::function<void()> on_teardown_;
  PollHandle* handle_;
  bool started_ = false;
  bool keep_alive_ = true;
  std::optional<std::uint64_t> fired_ns_;
  std::optional<Napi::Promise::Deferred> deferred_;
  Napi::ObjectReference owner_;
};

}  // namespace nodecore::poll
