#include "poll/waiter.h"

#include <utility>

namespace nodecore::poll {

Waiter::Waiter(Napi::Env env, int fd, std::function<void()> on_teardown)
    : env_(env),
      on_teardown_(std::move(on_teardown)),
      handle_(PollHandle::Open(
          env, fd, [this](int) { OnReadable(); },
          [this] {
            std::exchange(handle_, nullptr)->Close();
            // A copy: what it frees may be this waiter.
            const auto on_teardown = on_teardown_;
            on_teardown();
          })) {
  if (handle_ == nullptr) throw Napi::Error::New(env, "uv_poll_init");
}

Waiter::~Waiter() {
  if (handle_ != nullptr) handle_->Close();
  // A promise that nobody may answer any more: the environment ends, and frees the reference itself.
  if (deferred_) owner_.SuppressDestruct();
}

Napi::Value Waiter::Wait(Napi::Object owner) {
  deferred_ = Napi::Promise::Deferred::New(env_);
  const Napi::Promise promise = deferred_->Promise();
  if (handle_ == nullptr || handle_->Start() != 0) {
    Answer(false);
  } else {
    owner_ = Napi::Persistent(owner);
  }
  return promise;
}

void Waiter::Answer(bool readable) {
  if (!deferred_) return;
  const Napi::Promise::Deferred deferred = *std::exchange(deferred_, std::nullopt);
  owner_.Reset();
  deferred.Resolve(Napi::Boolean::New(env_, readable));
}

void Waiter::Wake() {
  if (handle_ != nullptr) handle_->Stop();
  Answer(true);
}

void Waiter::OnReadable() {
  handle_->Stop();
  const Napi::HandleScope handles(env_);
  try {
    // Without the callback scope the promise's reactions would wait for the next unrelated callback.
    const Napi::AsyncContext context(env_, "nodecore");
    const Napi::CallbackScope callbacks(env_, context);
    Answer(true);
  } catch (const Napi::Error&) {
    // A worker that is being terminated runs no JavaScript any more, and its loop may still turn once. Nobody waits
    // for this answer; the teardown hook frees the rest. libuv's frames must not be unwound.
  }
}

}  // namespace nodecore::poll
