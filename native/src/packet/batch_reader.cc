#include "packet/batch_reader.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <utility>

#include "core/thread.h"

namespace nodecore::packet {

namespace {

constexpr std::uint32_t kReadable = EPOLLIN;

bool Control(int epoll, int operation, int fd, std::uint32_t events) noexcept {
  epoll_event event{};
  event.events = events;
  return epoll_ctl(epoll, operation, fd, &event) == 0;
}

}  // namespace

std::expected<BatchReader, SysError> BatchReader::Open(const CaptureOptions& options, RecordOptions records) {
  BatchReader reader(HoldOf(options), records);
  reader.wake_ = Descriptor(epoll_create1(EPOLL_CLOEXEC));
  reader.timer_ = Descriptor(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  reader.closing_->told = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const int wake = reader.wake_.get();
  if (wake < 0) return Failed("epoll_create1");
  if (!Control(wake, EPOLL_CTL_ADD, reader.timer_.get(), kReadable)) return Failed("epoll_ctl");
  if (!Control(wake, EPOLL_CTL_ADD, reader.closing_->told.get(), kReadable)) return Failed("epoll_ctl");
  for (const RingOptions& ring : options.rings) {
    auto opened = Ring::Open(ring);
    if (!opened) return std::unexpected(opened.error());
    if (!Control(wake, EPOLL_CTL_ADD, opened->fd(), 0)) return Failed("epoll_ctl");
    reader.rings_.push_back(std::move(*opened));
    reader.sources_.push_back({.cooked = ring.cooked, .counters = {}, .walk = {}, .gone = {}});
  }
  reader.WatchRings(true);
  return reader;
}

BatchReader::~BatchReader() {
  if (!rings_.empty()) CloseRings();
}

Batch BatchReader::Take(std::span<std::byte> buffer) {
  do {
    for (std::size_t tried = 0; tried < rings_.size(); ++tried) {
      const std::uint32_t index = turn_;
      turn_ = index + 1 == rings_.size() ? 0 : index + 1;
      const Batch batch = TakeFrom(index, buffer);
      if (batch.packets > 0) return batch;
    }
  } while (!rings_.empty() && Rest());
  return {};
}

Batch BatchReader::TakeFrom(std::uint32_t index, std::span<std::byte> buffer) {
  Ring& ring = rings_[index];
  Source& source = sources_[index];
  std::byte* out = buffer.data();
  // From here on there may be no room for one more record.
  const auto [snap_length, format] = records_;
  const std::byte* const full = out + (buffer.size() - LargestRecordBytes(format, snap_length));
  Batch batch{.ring = index};
  const bool silent = silent_ || source.gone;
  while (out < full) {
    tpacket_block_desc* const block = silent ? ring.Remaining() : ring.Ready();
    if (block == nullptr) break;
    Walk walk = source.walk ? *std::exchange(source.walk, std::nullopt) : Walk(block, source.cooked, silent);
    const std::uint32_t before = walk.left();
    Packet packet;
    while (out < full && walk.Next(packet)) {
      out += WriteRecord(packet, format, snap_length, index, out);
      if (packet.original_bytes > std::min(packet.captured_bytes(), snap_length)) batch.truncated += 1;
    }
    batch.packets += before - walk.left();
    if (walk.left() > 0) {
      source.walk = walk;
      break;
    }
    if ((block->hdr.bh1.block_status & TP_STATUS_BLK_TMO) == 0) found_.full_blocks += 1;
    ring.Release();
  }
  batch.bytes = static_cast<std::uint32_t>(out - buffer.data());
  source.taken += batch.packets;
  found_.packets += batch.packets;
  return batch;
}

// Everything that was ready is taken. True when there may be more at once.
bool BatchReader::Rest() {
  const auto is_gone = [](const Source& source) { return source.gone.has_value(); };
  if (silent_) {
    Finish(End::kStopped);
    return false;
  }
  if (std::ranges::all_of(sources_, is_gone)) {
    Finish(End::kFailed, sources_[last_gone_].gone, last_gone_);
    return false;
  }
  bool more = false;
  for (std::uint32_t i = 0; i < rings_.size(); ++i) more = (!sources_[i].gone && Leave(i)) || more;
  if (more) return true;
  const std::uint32_t ms = hold_.After(std::exchange(found_, {}));
  itimerspec in{};
  in.it_value.tv_sec = ms / 1000;
  in.it_value.tv_nsec = static_cast<long>(ms % 1000) * 1'000'000;
  // Also what makes an expired timer unreadable again; with 0 it is off.
  timerfd_settime(timer_.get(), 0, &in, nullptr);
  WatchRings(ms == 0);
  return false;
}

// Whether the interface went down or away: what its ring had is still taken, and the other rings go on.
bool BatchReader::Leave(std::uint32_t index) {
  const int error = rings_[index].Error();
  if (error == 0) return false;
  static_cast<void>(rings_[index].Silence());
  Control(wake_.get(), EPOLL_CTL_DEL, rings_[index].fd(), 0);
  sources_[index].gone = SysError{"recv", error};
  last_gone_ = index;
  return true;
}

// Errors are reported in any case.
void BatchReader::WatchRings(bool watch) {
  if (watch == watching_) return;
  watching_ = watch;
  // A ring that is gone was removed: this fails for it, and that is fine.
  for (const Ring& ring : rings_) Control(wake_.get(), EPOLL_CTL_MOD, ring.fd(), watch ? kReadable : 0U);
}

void BatchReader::Stop() {
  if (silent_ || rings_.empty()) return;
  for (Ring& ring : rings_) static_cast<void>(ring.Silence());
  silent_ = true;
  eventfd_write(closing_->told.get(), 1);
}

void BatchReader::Abandon() {
  if (!rings_.empty()) Finish(End::kStopped);
}

Progress BatchReader::Look() {
  Count();
  Progress progress;
  for (const Source& source : sources_) {
    progress.rings.push_back(source.counters);
    progress.taken.push_back(source.taken);
    progress.lost.push_back(0);
    progress.gone.push_back(source.gone);
  }
  progress.end = end_;
  progress.failure = failure_;
  progress.failed_ring = failed_ring_;
  progress.closed = closing_->done.load();
  return progress;
}

void BatchReader::Count() {
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    sources_[i].counters = rings_[i].Counters().value_or(sources_[i].counters);
  }
}

void BatchReader::Finish(End why, std::optional<SysError> what, std::optional<std::uint32_t> where) {
  for (Ring& ring : rings_) static_cast<void>(ring.Silence());
  Count();
  end_ = why;
  failure_ = what;
  failed_ring_ = where;
  eventfd_t ignored;
  eventfd_read(closing_->told.get(), &ignored);
  // Readable next when the sockets are gone.
  constexpr itimerspec kOff{};
  timerfd_settime(timer_.get(), 0, &kOff, nullptr);
  for (const Ring& ring : rings_) Control(wake_.get(), EPOLL_CTL_DEL, ring.fd(), 0);
  CloseRings();
}

void BatchReader::CloseRings() {
  const auto close = [closing = closing_](std::vector<Ring>& rings) {
    rings.clear();
    closing->done = true;
    eventfd_write(closing->told.get(), 1);
  };
  auto rings = std::make_shared<std::vector<Ring>>(std::exchange(rings_, {}));
  if (!SpawnDetached([close, rings] { close(*rings); })) close(*rings);
}

}  // namespace nodecore::packet
