#include "pages/page_reader.h"

#include <sys/eventfd.h>

#include <csignal>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace nodecore::pages {

namespace {

struct Task {
  std::uint32_t id;
  std::variant<OpenTask, Descriptor> work;
};

Reply Perform(Task task) {
  if (auto* descriptor = std::get_if<Descriptor>(&task.work)) return {task.id, Close(std::move(*descriptor)), -1};
  auto opened = Run(std::get<OpenTask>(task.work));
  if (!opened) return {task.id, opened.error(), -1};
  return {task.id, std::move(*opened), -1};
}

}  // namespace

struct PageReader::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Task> tasks;
  std::vector<Reply> replies;
  std::set<std::uint32_t> running;
  std::set<std::uint32_t> abandoned;
  bool closing = false;
  Descriptor event;
};

std::expected<PageReader, SysError> PageReader::Open(unsigned threads) {
  auto state = std::make_shared<State>();
  state->event = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state->event.get() < 0) return Failed("eventfd");
  PageReader reader(state);
  for (unsigned i = 0; i < threads; ++i) {
    if (!Spawn(state)) return std::unexpected(SysError{"pthread_create", EAGAIN});
  }
  return reader;
}

PageReader::~PageReader() {
  if (state_ == nullptr) return;  // moved from
  const std::lock_guard lock(state_->mutex);
  state_->closing = true;
  state_->tasks.clear();
  state_->replies.clear();
  state_->changed.notify_all();
}

void PageReader::Submit(std::uint32_t id, OpenTask task) {
  const std::lock_guard lock(state_->mutex);
  state_->tasks.push_back({id, std::move(task)});
  state_->changed.notify_one();
}

void PageReader::SubmitClose(std::uint32_t id, int lent) {
  auto node = lent_.extract(lent);
  Descriptor descriptor = node.empty() ? Descriptor() : std::move(node.mapped());
  const std::lock_guard lock(state_->mutex);
  state_->tasks.push_back({id, std::move(descriptor)});
  state_->changed.notify_one();
}

bool PageReader::Abandon(std::uint32_t id) {
  const std::lock_guard lock(state_->mutex);
  if (!state_->running.contains(id) || state_->abandoned.contains(id)) return false;
  if (!Spawn(state_)) return false;
  state_->abandoned.insert(id);
  return true;
}

std::vector<Reply> PageReader::Receive() {
  const std::lock_guard lock(state_->mutex);
  eventfd_t ignored;
  eventfd_read(state_->event.get(), &ignored);  // EAGAIN when nothing happened since the last call
  std::vector<Reply> replies = std::exchange(state_->replies, {});
  for (Reply& reply : replies) {
    auto* opened = std::get_if<Opened>(&reply.result);
    if (opened == nullptr || opened->descriptor.get() < 0) continue;
    reply.lent = opened->descriptor.get();
    lent_.emplace(reply.lent, std::move(opened->descriptor));
  }
  return replies;
}

int PageReader::fd() const noexcept { return state_->event.get(); }

bool PageReader::Spawn(const std::shared_ptr<State>& state) {
  // Signals are for the threads that expect them; a new thread inherits the mask.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool spawned = true;
  try {
    std::thread(Work, state).detach();
  } catch (const std::system_error&) {
    spawned = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return spawned;
}

void PageReader::Work(std::shared_ptr<State> state) {
  std::unique_lock lock(state->mutex);
  while (true) {
    state->changed.wait(lock, [&] { return state->closing || !state->tasks.empty(); });
    if (state->closing) return;
    Task task = std::move(state->tasks.front());
    state->tasks.pop_front();
    const std::uint32_t id = task.id;
    state->running.insert(id);
    lock.unlock();
    Reply reply = Perform(std::move(task));
    lock.lock();
    state->running.erase(id);
    if (state->closing) return;
    state->replies.push_back(std::move(reply));
    eventfd_write(state->event.get(), 1);
    if (state->abandoned.erase(id) != 0) return;  // another thread has taken this one's place
  }
}

}  // namespace nodecore::pages
