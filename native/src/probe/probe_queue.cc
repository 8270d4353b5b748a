#include "probe/probe_queue.h"

#include <sys/eventfd.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <utility>

#include "core/descriptor.h"
#include "core/thread.h"

namespace nodecore::probe {

namespace {

struct Job {
  std::uint32_t id;
  Task task;
};

}  // namespace

struct ProbeQueue::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  std::vector<Reply> replies;
  std::set<std::uint32_t> running;
  std::set<std::uint32_t> replaced;
  bool closing = false;
  Descriptor event;
};

std::expected<ProbeQueue, SysError> ProbeQueue::Open(unsigned threads) {
  auto state = std::make_shared<State>();
  state->event = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state->event.get() < 0) return Failed("eventfd");
  ProbeQueue queue(state);
  for (unsigned i = 0; i < threads; ++i) {
    if (!Spawn(state)) return std::unexpected(SysError{"pthread_create", EAGAIN});
  }
  return queue;
}

ProbeQueue::~ProbeQueue() {
  if (state_ == nullptr) return;  // moved from
  const std::lock_guard lock(state_->mutex);
  state_->closing = true;
  state_->jobs.clear();
  state_->replies.clear();
  // Here and not with the last thread, which may take its time: a thread that sees `closing` writes to it no more.
  state_->event = Descriptor();
  state_->changed.notify_all();
}

void ProbeQueue::Submit(std::uint32_t id, Task task) {
  const std::lock_guard lock(state_->mutex);
  state_->jobs.push_back({id, std::move(task)});
  state_->changed.notify_one();
}

bool ProbeQueue::Replace(std::uint32_t id) {
  const std::lock_guard lock(state_->mutex);
  if (!state_->running.contains(id) || state_->replaced.contains(id)) return false;
  if (!Spawn(state_)) return false;
  state_->replaced.insert(id);
  return true;
}

std::vector<Reply> ProbeQueue::Receive() {
  const std::lock_guard lock(state_->mutex);
  eventfd_t ignored;
  eventfd_read(state_->event.get(), &ignored);  // EAGAIN when nothing happened since the last call
  return std::exchange(state_->replies, {});
}

int ProbeQueue::fd() const noexcept { return state_->event.get(); }

bool ProbeQueue::Spawn(const std::shared_ptr<State>& state) {
  return SpawnDetached([state] { Work(state); });
}

void ProbeQueue::Work(std::shared_ptr<State> state) {
  std::unique_lock lock(state->mutex);
  while (true) {
    state->changed.wait(lock, [&] { return state->closing || !state->jobs.empty(); });
    if (state->closing) return;
    const Job job = std::move(state->jobs.front());
    const std::uint32_t id = job.id;
    state->jobs.pop_front();
    state->running.insert(id);
    lock.unlock();
    Reply reply{id, Run(job.task)};
    lock.lock();
    state->running.erase(id);
    if (state->closing) return;
    state->replies.push_back(std::move(reply));
    eventfd_write(state->event.get(), 1);
    if (state->replaced.erase(id) != 0) return;  // another thread has taken this one's place
  }
}

}  // namespace nodecore::probe
