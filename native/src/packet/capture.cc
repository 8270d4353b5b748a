#include "packet/capture.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "core/descriptor.h"
#include "core/thread.h"
#include "packet/hold.h"

namespace nodecore::packet {

namespace {

enum class Wish : std::uint8_t { kGoOn, kStop, kAbandon };

}  // namespace

struct Capture::State {
  explicit State(Hold hold) noexcept : hold(hold) {}

  std::vector<Ring> rings;
  std::vector<bool> cooked;
  std::shared_ptr<Sink> sink;
  Hold hold;
  Descriptor ready;    // for the reader
  Descriptor control;  // for the thread
  std::atomic<Wish> wish = Wish::kGoOn;

  // The rings' own counters are cleared by reading: one at a time.
  std::mutex mutex;
  std::vector<RingCounters> counters;
  std::vector<std::uint64_t> taken;
  std::vector<std::uint64_t> lost;
  std::vector<std::optional<SysError>> gone;
  End end = End::kNone;
  std::optional<SysError> failure;
  std::optional<std::uint32_t> failed_ring;
  bool closed = false;

  void Count();
  void Settle();
  Taken Drain(std::uint32_t index, bool silent, Found& found);
  Taken Leave(std::uint32_t index, int error, Found& found);
  bool AllGone();
  std::optional<std::uint32_t> Wait(std::uint32_t hold_ms);
  void Finish(End why, std::optional<SysError> what, std::optional<std::uint32_t> where);
  void Run();
};

std::expected<Capture, SysError> Capture::Open(const CaptureOptions& options, const MakeSink& make_sink) {
  auto state = std::make_shared<State>(HoldOf(options));
  state->ready = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  state->control = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state->ready.get() < 0 || state->control.get() < 0) return Failed("eventfd");
  // First: a file that can't be made must not cost a packet's way through a new ring.
  auto sink = make_sink();
  if (!sink) return std::unexpected(sink.error());
  state->sink = std::move(*sink);
  for (const RingOptions& ring : options.rings) {
    auto opened = Ring::Open(ring);
    if (!opened) return std::unexpected(opened.error());
    state->rings.push_back(std::move(*opened));
    state->cooked.push_back(ring.cooked);
  }
  state->taken.resize(state->rings.size());
  state->lost.resize(state->rings.size());
  state->gone.resize(state->rings.size());
  state->counters.resize(state->rings.size());
  if (!SpawnDetached([state] { state->Run(); })) return std::unexpected(SysError{"pthread_create", EAGAIN});
  return Capture(std::move(state));
}

Capture::~Capture() {
  if (state_ == nullptr) return;  // moved from
  state_->wish = Wish::kAbandon;
  eventfd_write(state_->control.get(), 1);
}

void Capture::Stop() {
  Wish expected = Wish::kGoOn;
  state_->wish.compare_exchange_strong(expected, Wish::kStop);
  eventfd_write(state_->control.get(), 1);
}

int Capture::fd() const noexcept { return state_->ready.get(); }

void Capture::Acknowledge() {
  eventfd_t ignored;
  eventfd_read(state_->ready.get(), &ignored);  // EAGAIN when nothing happened since the last call
}

Progress Capture::Look() {
  const std::lock_guard lock(state_->mutex);
  state_->Count();
  Progress progress;
  progress.rings = state_->counters;
  progress.taken = state_->taken;
  progress.lost = state_->lost;
  progress.gone = state_->gone;
  progress.end = state_->end;
  progress.failure = state_->failure;
  progress.failed_ring = state_->failed_ring;
  progress.closed = state_->closed;
  return progress;
}

void Capture::State::Count() {
  for (std::size_t i = 0; i < rings.size(); ++i) counters[i] = rings[i].Counters().value_or(counters[i]);
}

// What the sink has written by now is what the reader hears of: packets that wait in its buffer are not in the file yet.
void Capture::State::Settle() {
  const std::lock_guard lock(mutex);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    taken[i] = sink->kept()[i].written;
    lost[i] = sink->kept()[i].lost;
  }
}

// Everything that a ring has ready goes to the sink.
Taken Capture::State::Drain(std::uint32_t index, bool silent, Found& found) {
  Ring& ring = rings[index];
  while (tpacket_block_desc* const block = silent ? ring.Remaining() : ring.Ready()) {
    Walk walk(block, cooked[index], silent);
    const std::uint32_t before = walk.left();
    const Taken answer = sink->Take(walk, index);
    found.packets += before - walk.left();
    if (answer != Taken::kAll) return answer;
    if ((block->hdr.bh1.block_status & TP_STATUS_BLK_TMO) == 0) found.full_blocks += 1;
    ring.Release();
  }
  return Taken::kAll;
}

// The interface went down or away: what it had still goes to the sink, and the other rings go on.
Taken Capture::State::Leave(std::uint32_t index, int error, Found& found) {
  static_cast<void>(rings[index].Silence());
  const Taken answer = Drain(index, true, found);
  const std::lock_guard lock(mutex);
  gone[index] = SysError{"recv", error};
  return answer;
}

bool Capture::State::AllGone() {
  return std::ranges::all_of(gone, [](const auto& error) { return error.has_value(); });
}

// Sleeps until there is something to do, or for that long without a look at the rings. Returns the ring that reported an
// error.
std::optional<std::uint32_t> Capture::State::Wait(std::uint32_t hold_ms) {
  std::vector<pollfd> polled{{control.get(), POLLIN, 0}};
  if (hold_ms == 0) {
    // poll(2): a negative descriptor is left out.
    for (std::size_t i = 0; i < rings.size(); ++i) polled.push_back({gone[i] ? -1 : rings[i].fd(), POLLIN, 0});
  }
  if (poll(polled.data(), polled.size(), hold_ms == 0 ? -1 : static_cast<int>(hold_ms)) <= 0) return std::nullopt;
  eventfd_t ignored;
  eventfd_read(control.get(), &ignored);
  for (std::uint32_t i = 1; i < polled.size(); ++i) {
    if ((polled[i].revents & POLLERR) != 0) return i - 1;
  }
  return std::nullopt;
}

void Capture::State::Finish(End why, std::optional<SysError> what, std::optional<std::uint32_t> where) {
  for (Ring& ring : rings) static_cast<void>(ring.Silence());
  if (sink->Close() == Taken::kFailed && why != End::kFailed) {
    why = End::kFailed;
    what = sink->failure();
  }
  Settle();
  std::vector<Ring> closing;
  {
    const std::lock_guard lock(mutex);
    Count();
    closing.swap(rings);
    end = why;
    failure = what;
    failed_ring = where;
  }
  eventfd_write(ready.get(), 1);
  // Closing a packet socket waits for all processors, some 20 ms: after the end was reported.
  closing.clear();
  const std::lock_guard lock(mutex);
  closed = true;
  eventfd_write(ready.get(), 1);
}

void Capture::State::Run() {
  bool silent = false;
  std::optional<std::uint32_t> failed;
  while (wish.load() != Wish::kAbandon) {
    if (wish.load() == Wish::kStop && !silent) {
      for (Ring& ring : rings) static_cast<void>(ring.Silence());
      silent = true;
    }
    Found found;
    Taken answer = Taken::kAll;
    for (std::uint32_t i = 0; i < rings.size() && answer == Taken::kAll; ++i) {
      if (!gone[i]) answer = Drain(i, silent, found);
    }
    if (answer == Taken::kAll && failed) {
      const int error = rings[*failed].Error();
      if (error != 0) answer = Leave(*failed, error, found);
    }
    if (answer == Taken::kAll) answer = sink->Flush();
    Settle();
    if (answer == Taken::kFailed) return Finish(End::kFailed, sink->failure(), std::nullopt);
    if (answer == Taken::kEnough) return Finish(End::kEnough, std::nullopt, std::nullopt);
    if (silent) return Finish(End::kStopped, std::nullopt, std::nullopt);
    if (AllGone()) return Finish(End::kFailed, gone[*failed], failed);
    failed = Wait(hold.After(found));
  }
}

}  // namespace nodecore::packet
