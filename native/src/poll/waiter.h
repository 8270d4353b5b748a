// A promise that resolves when a descriptor is readable.
//
// Owns: the poll handle, and while somebody waits, a reference that keeps the waiting object from the collector.
// Threads: the environment's.
#pragma once

#include <napi.h>

#include <functional>
#include <optional>

#include "poll/poll_handle.h"

namespace nodecore::poll {

class Waiter {
 public:
  // `on_teardown` frees what else hangs on the descriptor when the environment ends; it must not touch JavaScript.
  Waiter(Napi::Env env, int fd, std::function<void()> on_teardown);
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  ~Waiter();

  // True when the descriptor became readable, false when it was closed first. One waiter at a time.
  Napi::Value Wait(Napi::Object owner);
  void KeepAlive(bool value) {
    if (handle_ != nullptr) handle_->KeepAlive(value);
  }
  // Call it while JavaScript runs; the destructor alone leaves a waiting promise unanswered.
  void Answer(bool readable);
  // As if the descriptor had become readable. While JavaScript runs, too.
  void Wake();

 private:
  void OnReadable();

  Napi::Env env_;
  std::function<void()> on_teardown_;
  PollHandle* handle_;
  std::optional<Napi::Promise::Deferred> deferred_;
  Napi::ObjectReference owner_;
};

}  // namespace nodecore::poll
