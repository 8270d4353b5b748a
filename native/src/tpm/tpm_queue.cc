#include "tpm/tpm_queue.h"

#include <sys/eventfd.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "core/descriptor.h"
#include "core/thread.h"
#include "tpm/turns.h"

namespace nodecore::tpm {

namespace {

using Connection = std::unique_ptr<Context>;

// Whether a connection is of no more use: nobody answers at its other end, or what was asked was never answered.
bool IsBroken(const Failure& failure) {
  return (failure.response_code & TSS2_RC_LAYER_MASK) == TSS2_TCTI_RC_LAYER ||
         failure.response_code == TSS2_ESYS_RC_BAD_SEQUENCE;
}

struct Job {
  std::uint32_t id;
  bool uses_tpm;
  std::move_only_function<Outcome(Connection&)> run;
};

}  // namespace

struct TpmQueue::State {
  explicit State(std::string name) : tcti(std::move(name)), turns(Turns::Of(tcti)) {}

  const std::string tcti;
  const std::shared_ptr<Turns> turns;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  std::vector<Reply> replies;
  bool closing = false;
  bool wanted = false;  // connected, and not disconnected since; the thread's alone
  Descriptor event;

  void Push(Job job) {
    const std::lock_guard lock(mutex);
    jobs.push_back(std::move(job));
    changed.notify_one();
  }

  // Waits for something to do; false at the end.
  bool Await() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return closing || !jobs.empty(); });
    return !closing;
  }

  bool WantsTurn() {
    const std::lock_guard lock(mutex);
    return !closing && !jobs.empty() && jobs.front().uses_tpm;
  }

  // A job stays in the queue, where it can still be cancelled, until its turn.
  std::optional<Job> Next(bool has_turn) {
    const std::lock_guard lock(mutex);
    if (closing || jobs.empty() || (jobs.front().uses_tpm && !has_turn)) return std::nullopt;
    Job job = std::move(jobs.front());
    jobs.pop_front();
    return job;
  }

  void Answer(Reply reply) {
    const std::lock_guard lock(mutex);
    if (closing) return;
    replies.push_back(std::move(reply));
    eventfd_write(event.get(), 1);
  }
};

std::expected<TpmQueue, SysError> TpmQueue::Open(std::string tcti) {
  auto state = std::make_shared<State>(std::move(tcti));
  state->event = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state->event.get() < 0) return Failed("eventfd");
  TpmQueue queue(state);
  if (!SpawnDetached([state] { Work(state); })) return std::unexpected(SysError{"pthread_create", EAGAIN});
  return queue;
}

TpmQueue::~TpmQueue() {
  if (state_ == nullptr) return;  // moved from
  {
    const std::lock_guard lock(state_->mutex);
    state_->closing = true;
    state_->jobs.clear();
    state_->replies.clear();
    state_->changed.notify_all();
  }
  state_->turns->Wake();
}

void TpmQueue::Connect(std::uint32_t id) {
  state_->Push({id, true, [state = state_](Connection& connection) -> Outcome {
                  auto context = Context::Connect(state->tcti);
                  if (!context) return std::unexpected(context.error());
                  connection = std::move(*context);
                  state->wanted = true;
                  return Value();
                }});
}

void TpmQueue::Disconnect(std::uint32_t id) {
  state_->Push({id, false, [state = state_](Connection& connection) -> Outcome {
                  connection.reset();
                  state->wanted = false;
                  return Value();
                }});
}

void TpmQueue::Submit(std::uint32_t id, Request request) {
  state_->Push({id, true, [state = state_, request = std::move(request)](Connection& connection) mutable -> Outcome {
                  if (connection == nullptr) {
                    if (!state->wanted) return Refused("Esys_Initialize", TSS2_ESYS_RC_BAD_SEQUENCE);
                    auto again = Context::Connect(state->tcti);
                    if (!again) return std::unexpected(again.error());
                    connection = std::move(*again);
                  }
                  auto outcome = request(*connection);
                  // The library does not get over it; the next request connects anew.
                  if (!outcome && IsBroken(outcome.error())) connection.reset();
                  return outcome;
                }});
}

bool TpmQueue::Cancel(std::uint32_t id) {
  {
    const std::lock_guard lock(state_->mutex);
    if (std::erase_if(state_->jobs, [id](const Job& job) { return job.id == id; }) == 0) return false;
  }
  state_->turns->Wake();
  return true;
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
  while (state->Await()) {
    std::optional<Reply> reply;
    {
      const auto turn = state->turns->Take([&state] { return !state->WantsTurn(); });
      auto job = state->Next(turn.has_value());
      if (!job) continue;
      reply.emplace(job->id, job->run(connection));
    }  // what the job carries may be secret, and the next one may be long in coming
    state->Answer(std::move(*reply));
  }
}

}  // namespace nodecore::tpm
