#include "tpm/tpm_queue.h"

#include <sys/eventfd.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include "core/descriptor.h"
#include "core/thread.h"

namespace nodecore::tpm {

namespace {

using Connection = std::unique_ptr<Context>;

struct Job {
  std::uint32_t id;
  std::move_only_function<Outcome(Connection&)> run;
};

}  // namespace

struct TpmQueue::State {
  std::string tcti;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  std::vector<Reply> replies;
  bool closing = false;
  Descriptor event;

  void Push(Job job) {
    const std::lock_guard lock(mutex);
    jobs.push_back(std::move(job));
    changed.notify_one();
  }
};

std::expected<TpmQueue, SysError> TpmQueue::Open(std::string tcti) {
  auto state = std::make_shared<State>();
  state->tcti = std::move(tcti);
  state->event = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state->event.get() < 0) return Failed("eventfd");
  TpmQueue queue(state);
  if (!SpawnDetached([state] { Work(state); })) return std::unexpected(SysError{"pthread_create", EAGAIN});
  return queue;
}

TpmQueue::~TpmQueue() {
  if (state_ == nullptr) return;  // moved from
  const std::lock_guard lock(state_->mutex);
  state_->closing = true;
  state_->jobs.clear();
  state_->replies.clear();
  state_->changed.notify_all();
}

void TpmQueue::Connect(std::uint32_t id) {
  state_->Push({id, [state = state_](Connection& connection) -> Outcome {
                  auto context = Context::Connect(state->tcti);
                  if (!context) return std::unexpected(context.error());
                  connection = std::move(*context);
                  return Value();
                }});
}

void TpmQueue::Disconnect(std::uint32_t id) {
  state_->Push({id, [](Connection& connection) -> Outcome {
                  connection.reset();
                  return Value();
                }});
}

void TpmQueue::Submit(std::uint32_t id, Request request) {
  state_->Push({id, [request = std::move(request)](Connection& connection) mutable -> Outcome {
                  if (connection == nullptr) return Refused("Esys_Initialize", TSS2_ESYS_RC_BAD_SEQUENCE);
                  return request(*connection);
                }});
}

bool TpmQueue::Cancel(std::uint32_t id) {
  const std::lock_guard lock(state_->mutex);
  return std::erase_if(state_->jobs, [id](const Job& job) { return job.id == id; }) > 0;
}

std::vector<Reply> TpmQueue::Receive() {
  const std::lock_guard lock(state_->mutex);
  eventfd_t ignored;
  eventfd_read(state_->event.get(), &ignored);  // EAGAIN when nothing happened since the last call
  return std::exchange(state_->replies, {});
}

int TpmQueue::fd() const noexcept { return state_->event.get(); }

void TpmQueue::Work(const std::shared_ptr<State>& state) {
  Connection connection;
  std::unique_lock lock(state->mutex);
  while (true) {
    state->changed.wait(lock, [&] { return state->closing || !state->jobs.empty(); });
    if (state->closing) break;
    Job job = std::move(state->jobs.front());
    state->jobs.pop_front();
    lock.unlock();
    Reply reply{job.id, job.run(connection)};
    job.run = nullptr;  // what it carries may be secret, and the next job may be long in coming
    lock.lock();
    if (state->closing) break;
    state->replies.push_back(std::move(reply));
    eventfd_write(state->event.get(), 1);
  }
  lock.unlock();
  connection.reset();
}

}  // namespace nodecore::tpm
