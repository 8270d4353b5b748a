#include "poll/priority_waiter.h"

#include <utility>

namespace nodecore::poll {

PriorityWaiter::PriorityWaiter(Napi::Env env, int fd, std::function<void()> on_teardown)
    : env_(env),
      on_teardown_(std::move(on_teardown)),
      handle_(PollHandle::Open(
          env, fd, [this](int) { OnPriority(); },
          [this] {
            std::exchange(handle_, nullptr)->Close();
            // A copy: what it frees may be this waiter.
            const auto on_teardown = on_teardown_;
            on_teardown();
          })) {
  if (handle_ == nullptr) throw Napi::Error::New(env, "uv_poll_init");
  handle_->KeepAlive(false);
  started_ = handle_->Start(UV_PRIORITIZED) == 0;
}

PriorityWaiter::~PriorityWaiter() {
  if (handle_ != nullptr) handle_->Close();
  // A promise that nobody may answer any more: the environment ends, and frees the reference itself.
  if (deferred_) owner_.SuppressDestruct();
}

Napi::Value PriorityWaiter::Wait(Napi::Object owner) {
  deferred_ = Napi::Promise::Deferred::New(env_);
  const Napi::Promise promise = deferred_->Promise();
  if (fired_ns_ || handle_ == nullptr) {
    Answer(fired_ns_.has_value());
    return promise;
  }
  if (!started_) started_ = handle_->Start(UV_PRIORITIZED) == 0;
  handle_->KeepAlive(keep_alive_);
  owner_ = Napi::Persistent(owner);
  return promise;
}

void PriorityWaiter::KeepAlive(bool value) {
  keep_alive_ = value;
  if (handle_ != nullptr && deferred_) handle_->KeepAlive(value);
}

void PriorityWaiter::Answer(bool fired) {
  if (!deferred_) return;
  const Napi::Promise::Deferred deferred = *std::exchange(deferred_, std::nullopt);
  owner_.Reset();
  if (handle_ != nullptr) handle_->KeepAlive(false);
  const auto fired_ns = std::exchange(fired_ns_, std::nullopt);
  if (fired && fired_ns) {
    deferred.Resolve(Napi::BigInt::New(env_, *fired_ns));
  } else {
    deferred.Resolve(Napi::Boolean::New(env_, false));
  }
}

void PriorityWaiter::OnPriority() {
  // A descriptor whose file is gone fires at every turn of the loop: not while nobody asks.
  if (fired_ns_) {
    handle_->Stop();
    started_ = false;
  }
  fired_ns_ = uv_hrtime();
  if (!deferred_) return;
  const Napi::HandleScope handles(env_);
  try {
    // As in Waiter.
    const Napi::AsyncContext context(env_, "nodecore");
    const Napi::CallbackScope callbacks(env_, context);
    Answer(true);
  } catch (const Napi::Error&) {
    // As in Waiter: a worker that is being terminated.
  }
}

}  // namespace nodecore::poll
