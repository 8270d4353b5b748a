// A question that a thread of its own answers: whoever reads what the kernel says of processes may be kept waiting by one of
// them.
//
// Owns: the eventfd and the answer, shared with the thread, which may outlive it for the length of one system call.
// Threads: one of its own. Call it from one thread at a time.
#pragma once

#include <sys/eventfd.h>

#include <atomic>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/descriptor.h"
#include "core/sys_error.h"
#include "core/thread.h"

namespace nodecore {

template <typename Answer>
class Question {
 public:
  using Result = std::expected<Answer, SysError>;

  // `work` is given a flag that says when nobody wants its answer any more. EBUSY when so many questions of this kind wait for
  // the kernel that another one would only wait, too.
  template <typename Work>
  static std::expected<Question, SysError> Ask(Work work) {
    auto state = std::make_shared<State>();
    state->event = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (state->event.get() < 0) return Failed("eventfd");
    if (running_.fetch_add(1) >= kMostAtOnce) {
      running_.fetch_sub(1);
      return std::unexpected(SysError{"pthread_create", EBUSY});
    }
    const bool spawned = SpawnDetached([state, work = std::move(work)] {
      Result result = work(state->cancelled);
      {
        const std::lock_guard lock(state->mutex);
        state->result = std::move(result);
      }
      running_.fetch_sub(1);
      eventfd_write(state->event.get(), 1);
    });
    if (spawned) return Question(std::move(state));
    running_.fetch_sub(1);
    return std::unexpected(SysError{"pthread_create", EAGAIN});
  }

  Question(Question&&) noexcept = default;
  Question& operator=(Question&&) = delete;
  ~Question() {
    if (state_ != nullptr) state_->cancelled = true;
  }

  // Empty while the thread still works.
  std::optional<Result> Receive() {
    const std::lock_guard lock(state_->mutex);
    return std::exchange(state_->result, std::nullopt);
  }

  // Readable when the answer is there.
  int fd() const noexcept { return state_->event.get(); }

 private:
  static constexpr int kMostAtOnce = 8;

  struct State {
    Descriptor event;
    std::atomic<bool> cancelled = false;
    std::mutex mutex;
    std::optional<Result> result;
  };

  explicit Question(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}

  static inline std::atomic<int> running_ = 0;
  std::shared_ptr<State> state_;
};

}  // namespace nodecore
