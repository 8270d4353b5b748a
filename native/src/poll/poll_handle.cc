#include "poll/poll_handle.h"

#include <utility>

namespace nodecore::poll {

PollHandle* PollHandle::Open(napi_env env, int fd, std::function<void(int)> on_ready,
                             std::function<void()> on_teardown) {
  uv_loop_s* loop = nullptr;
  if (napi_get_uv_event_loop(env, &loop) != napi_ok) return nullptr;
  auto* self = new PollHandle();
  if (uv_poll_init(loop, &self->handle_, fd) != 0) {
    delete self;
    return nullptr;
  }
  self->handle_.data = self;
  self->on_ready_ = std::move(on_ready);
  self->on_teardown_ = std::move(on_teardown);
  // Asynchronous: the environment waits until OnClosed removed the hook, so its loop ends without open handles.
  if (napi_add_async_cleanup_hook(env, OnTeardown, self, &self->hook_) != napi_ok) {
    self->Close();
    return nullptr;
  }
  return self;
}

int PollHandle::Start(int events) { return uv_poll_start(&handle_, events, OnPoll); }

void PollHandle::Stop() { uv_poll_stop(&handle_); }

void PollHandle::KeepAlive(bool value) {
  auto* handle = reinterpret_cast<uv_handle_t*>(&handle_);
  value ? uv_ref(handle) : uv_unref(handle);
}

void PollHandle::Close() {
  auto* handle = reinterpret_cast<uv_handle_t*>(&handle_);
  on_ready_ = nullptr;
  on_teardown_ = nullptr;
  if (!uv_is_closing(handle)) uv_close(handle, OnClosed);
}

void PollHandle::OnPoll(uv_poll_t* handle, int status, int) {
  auto* self = static_cast<PollHandle*>(handle->data);
  // A copy: the callback may call Close(), which drops the original.
  const auto on_ready = self->on_ready_;
  if (on_ready) on_ready(status);
}

void PollHandle::OnTeardown(napi_async_cleanup_hook_handle, void* data) {
  auto* self = static_cast<PollHandle*>(data);
  const auto on_teardown = self->on_teardown_;
  if (on_teardown) on_teardown();
}

void PollHandle::OnClosed(uv_handle_t* handle) {
  auto* self = static_cast<PollHandle*>(handle->data);
  if (self->hook_ != nullptr) napi_remove_async_cleanup_hook(self->hook_);
  delete self;
}

}  // namespace nodecore::poll
