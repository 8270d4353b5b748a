#include "files/stream.h"

#include <sys/eventfd.h>

#include <condition_variable>
#include <mutex>
#include <new>
#include <utility>

#include "core/descriptor.h"
#include "core/thread.h"

namespace nodecore::files {

struct Stream::State {
  std::unique_ptr<Source> source;
  Descriptor event;
  std::atomic<bool> cancelled = false;

  std::mutex mutex;
  std::condition_variable changed;
  bool wanted = false;
  bool closing = false;
  std::optional<std::expected<Piece, SysError>> result;
};

namespace {

// Those that hang in a file system count, too: a caller that asks for it again and again does not get a thread each time.
constexpr int kMostThreads = 16;
std::atomic<int> threads = 0;

std::expected<Piece, SysError> Filled(Source& source, const std::atomic<bool>& cancelled) {
  Piece piece;
  piece.bytes.reserve(kHeadroom + kPieceBytes + kPieceBytes / 4);
  piece.bytes.resize(kHeadroom);
  try {
    if (auto filled = source.Fill(piece, cancelled); !filled) return std::unexpected(filled.error());
  } catch (const std::bad_alloc&) {
    return std::unexpected(SysError{"malloc", ENOMEM});
  }
  return piece;
}

}  // namespace

std::expected<Stream, SysError> Stream::Open(std::unique_ptr<Source> source) {
  auto state = std::make_shared<State>();
  state->source = std::move(source);
  state->event = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state->event.get() < 0) return Failed("eventfd");
  const auto work = [state] {
    Work(*state);
    --threads;
  };
  if (++threads > kMostThreads || !SpawnDetached(work)) {
    --threads;
    return std::unexpected(SysError{"pthread_create", EAGAIN});
  }
  return Stream(std::move(state));
}

Stream::~Stream() {
  if (state_ == nullptr) return;  // moved from
  state_->cancelled = true;
  const std::lock_guard lock(state_->mutex);
  state_->closing = true;
  state_->changed.notify_all();
}

void Stream::Submit() {
  const std::lock_guard lock(state_->mutex);
  state_->wanted = true;
  state_->changed.notify_all();
}

std::optional<std::expected<Piece, SysError>> Stream::Receive() {
  const std::lock_guard lock(state_->mutex);
  eventfd_t ignored;
  eventfd_read(state_->event.get(), &ignored);  // EAGAIN when nothing happened since the last call
  return std::exchange(state_->result, std::nullopt);
}

int Stream::fd() const noexcept { return state_->event.get(); }

void Stream::Work(State& state) {
  GiveWay();
  std::unique_lock lock(state.mutex);
  while (true) {
    state.changed.wait(lock, [&] { return state.closing || state.wanted; });
    if (state.closing) return;
    state.wanted = false;
    lock.unlock();
    auto result = Filled(*state.source, state.cancelled);
    lock.lock();
    if (state.closing) return;
    state.result = std::move(result);
    eventfd_write(state.event.get(), 1);
  }
}

}  // namespace nodecore::files
