// Watches one descriptor on the environment's own loop: for readability, or what else libuv can poll for.
//
// Owns: the libuv handle, not the descriptor. It deletes itself, because libuv gives the memory back only after the
// next turn of the loop: call Close() and forget the pointer.
// Threads: the environment's.
#pragma once

#include <node_api.h>
#include <uv.h>

#include <functional>

namespace nodecore::poll {

class PollHandle {
 public:
  // `on_ready` gets 0 or a negative errno. `on_teardown` comes when the environment ends first; it must call
  // Close(), and must not touch JavaScript. Returns null when the loop refuses the descriptor.
  static PollHandle* Open(napi_env env, int fd, std::function<void(int)> on_ready,
                          std::function<void()> on_teardown);

  int Start(int events = UV_READABLE);
  void Stop();
  // Whether the loop stays alive for this handle while it is started; it does by default.
  void KeepAlive(bool value);
  // The descriptor may be closed right after. Neither callback comes any more.
  void Close();

 private:
  PollHandle() = default;
  static void OnPoll(uv_poll_t* handle, int status, int events);
  static void OnTeardown(napi_async_cleanup_hook_handle hook, void* self);
  static void OnClosed(uv_handle_t* handle);

  uv_poll_t handle_;
  napi_async_cleanup_hook_handle hook_ = nullptr;
  std::function<void(int)> on_ready_;
  std::function<void()> on_teardown_;
};

}  // namespace nodecore::poll
