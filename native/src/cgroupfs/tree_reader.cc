#include "cgroupfs/tree_reader.h"

#include <sys/eventfd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "cgroupfs/tree.h"
#include "core/descriptor.h"
#include "core/thread.h"

namespace nodecore::cgroupfs {

struct TreeReader::State {
  std::unique_ptr<Tree> tree;
  Descriptor event;
  std::atomic<bool> cancelled = false;

  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Request> request;
  std::optional<std::expected<Scan, SysError>> result;
  bool closing = false;
};

std::expected<TreeReader, SysError> TreeReader::Open(const std::string& path, bool foreign) {
  auto state = std::make_shared<State>();
  auto tree = Tree::Open(path, foreign);
  if (!tree) return std::unexpected(tree.error());
  state->tree = std::move(*tree);
  state->event = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state->event.get() < 0) return Failed("eventfd");
  if (!SpawnDetached([state] { Work(*state); })) return std::unexpected(SysError{"pthread_create", EAGAIN});
  return TreeReader(std::move(state));
}

TreeReader::~TreeReader() {
  if (state_ == nullptr) return;  // moved from
  Cancel();
  const std::lock_guard lock(state_->mutex);
  state_->closing = true;
  state_->changed.notify_all();
}

void TreeReader::Submit(Request request) {
  const std::lock_guard lock(state_->mutex);
  state_->cancelled = false;
  state_->request = std::move(request);
  state_->changed.notify_all();
}

void TreeReader::Cancel() { state_->cancelled = true; }

std::optional<std::expected<Scan, SysError>> TreeReader::Receive() {
  const std::lock_guard lock(state_->mutex);
  eventfd_t ignored;
  eventfd_read(state_->event.get(), &ignored);  // EAGAIN when nothing happened since the last call
  return std::exchange(state_->result, std::nullopt);
}

int TreeReader::fd() const noexcept { return state_->event.get(); }

void TreeReader::Work(State& state) {
  std::unique_lock lock(state.mutex);
  while (true) {
    state.changed.wait(lock, [&] { return state.closing || state.request; });
    if (state.closing) return;
    const Request request = *std::exchange(state.request, std::nullopt);
    lock.unlock();
    auto result = state.tree->Read(request, state.cancelled);
    lock.lock();
    if (state.closing) return;
    state.result = std::move(result);
    eventfd_write(state.event.get(), 1);
  }
}

}  // namespace nodecore::cgroupfs
