#include "snapshot/sink.h"

#include <sys/eventfd.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "core/descriptor.h"
#include "core/thread.h"
#include "snapshot/part_file.h"

namespace nodecore::snapshot {

namespace {

// A write of half a megabyte keeps a disk busy; a few of them outlast its slower moments.
constexpr std::size_t kBlockBytes = 512U << 10;
constexpr std::size_t kBlocks = 8;

struct Free {
  void operator()(std::byte* at) const noexcept { std::free(at); }
};

struct Block {
  std::unique_ptr<std::byte[], Free> bytes;
  std::size_t used = 0;
};

}  // namespace

struct Sink::State {
  SinkOptions options;
  Descriptor event;

  // Of the caller: what is being filled.
  std::optional<Block> current;

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Block> free;
  std::deque<Block> filled;
  std::uint64_t expected = 0;
  bool starved = false;
  bool finished = false;
  bool abandoned = false;
  std::optional<Result> result;

  void Push(Block block);
  std::optional<Block> Pop();
  void Recycle(Block block);
  Result Run();
  std::expected<Verdict, SysError> Take(Check& check, PartFile& file);
};

std::expected<Sink, SysError> Sink::Open(SinkOptions options) {
  auto state = std::make_shared<State>();
  state->options = std::move(options);
  state->event = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state->event.get() < 0) return Failed("eventfd");
  for (std::size_t i = 0; i < kBlocks; ++i) {
    Block block{decltype(Block::bytes)(static_cast<std::byte*>(std::aligned_alloc(PartFile::kAlignment, kBlockBytes)))};
    if (block.bytes == nullptr) return std::unexpected(SysError{"aligned_alloc", ENOMEM});
    state->free.push_back(std::move(block));
  }
  const bool spawned = SpawnDetached([state] {
    Result result = state->Run();
    const std::lock_guard lock(state->mutex);
    state->result = std::move(result);
    eventfd_write(state->event.get(), 1);
  });
  if (!spawned) return std::unexpected(SysError{"pthread_create", EAGAIN});
  return Sink(std::move(state));
}

Sink::~Sink() {
  if (state_ != nullptr) Abandon();
}

int Sink::fd() const noexcept { return state_->event.get(); }

void Sink::Expect(std::uint64_t bytes) {
  const std::lock_guard lock(state_->mutex);
  state_->expected = bytes;
}

std::size_t Sink::Append(Bytes bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    if (!state_->current) {
      const std::lock_guard lock(state_->mutex);
      if (state_->free.empty()) {
        state_->starved = true;
        break;
      }
      state_->current = std::move(state_->free.back());
      state_->free.pop_back();
      state_->current->used = 0;
    }
    Block& block = *state_->current;
    const std::size_t count = std::min(bytes.size() - taken, kBlockBytes - block.used);
    std::memcpy(block.bytes.get() + block.used, bytes.data() + taken, count);
    block.used += count;
    taken += count;
    if (block.used == kBlockBytes) state_->Push(*std::exchange(state_->current, std::nullopt));
  }
  return taken;
}

void Sink::Finish() {
  if (state_->current) state_->Push(*std::exchange(state_->current, std::nullopt));
  const std::lock_guard lock(state_->mutex);
  state_->finished = true;
  state_->changed.notify_one();
}

void Sink::Abandon() {
  const std::lock_guard lock(state_->mutex);
  state_->abandoned = true;
  state_->changed.notify_one();
}

void Sink::Acknowledge() {
  eventfd_t ignored;
  eventfd_read(state_->event.get(), &ignored);  // EAGAIN when nothing happened since the last call
}

std::optional<Result> Sink::Look() {
  const std::lock_guard lock(state_->mutex);
  return state_->result;
}

void Sink::State::Push(Block block) {
  const std::lock_guard lock(mutex);
  filled.push_back(std::move(block));
  changed.notify_one();
}

// Nothing after the last block, or when nobody wants it any more.
std::optional<Block> Sink::State::Pop() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return abandoned || finished || !filled.empty(); });
  if (abandoned || filled.empty()) return std::nullopt;
  Block block = std::move(filled.front());
  filled.pop_front();
  return block;
}

void Sink::State::Recycle(Block block) {
  const std::lock_guard lock(mutex);
  free.push_back(std::move(block));
  if (std::exchange(starved, false)) eventfd_write(event.get(), 1);
}

Result Sink::State::Run() {
  auto check = Check::Begin();
  if (!check) return {.verdict = {}, .failure = check.error()};
  // A part goes at the end of this function, before the result is reported: its waiters find nothing left.
  auto file = PartFile::Open(options.path, options.replace);
  if (!file) return {.verdict = {}, .failure = file.error()};
  // Not before the file is ours: a second writer is to learn it at once.
  GiveWay();
  auto verdict = Take(*check, *file);
  if (!verdict && verdict.error().number == ECANCELED) return {.verdict = {}, .failure = {}, .abandoned = true};
  if (!verdict) return {.verdict = {}, .failure = verdict.error()};
  if (verdict->Sound()) {
    if (const auto published = file->Publish(); !published) return {.verdict = {}, .failure = published.error()};
  }
  return {.verdict = std::move(*verdict), .failure = {}};
}

std::expected<Verdict, SysError> Sink::State::Take(Check& check, PartFile& file) {
  bool reserved = false;
  while (auto block = Pop()) {
    const Bytes bytes(block->bytes.get(), block->used);
    if (!std::exchange(reserved, true)) {
      std::uint64_t wanted;
      {
        const std::lock_guard lock(mutex);
        wanted = expected;
      }
      if (const auto room = file.Reserve(wanted); !room) return std::unexpected(room.error());
    }
    if (const auto written = file.Append(bytes); !written) return std::unexpected(written.error());
    check.Feed(bytes);
    Recycle(std::move(*block));
  }
  {
    const std::lock_guard lock(mutex);
    if (abandoned) return std::unexpected(SysError{"", ECANCELED});
  }
  if (const auto synced = file.Sync(); !synced) return std::unexpected(synced.error());
  return check.Finish(file.fd());
}

}  // namespace nodecore::snapshot
